import { useMemo } from 'react';
import { decodeText } from './decode-text.js';
import type { ContentFormat } from './detect-format.js';
import { GridView } from './grid-view.js';
import { ImageView } from './image-view.js';
import { JsonTree } from './json-tree.js';
import type { PreviewView } from './list-views.js';
import { findSeparator, readDelimited, readJsonLines } from './read-grid.js';
import type { ReadRange } from './read-range.js';
import { HexView, TextView } from './text-view.js';

interface PartViewProps {
  view: PreviewView;
  format: ContentFormat;
  contentKey: string;
  name: string;
  size: number;
  /** The first part of the content. */
  bytes: Uint8Array;
  isCut: boolean;
  read: ReadRange;
}

/** The first part of a content, in the chosen view. */
export function PartView({ view, format, bytes, isCut, ...content }: PartViewProps) {
  switch (view) {
    case 'image':
      return <ImageView {...content} />;
    case 'tree':
      return <TreeOfText bytes={bytes} />;
    case 'grid':
      return <GridOfText {...{ format, bytes, isCut }} />;
    case 'text':
      return <TextView bytes={bytes} />;
    case 'hex':
      return <HexView bytes={bytes} />;
  }
}

function TreeOfText({ bytes }: { bytes: Uint8Array }) {
  const parsed = useMemo(() => parseJson(bytes), [bytes]);
  if (!parsed) return <TextView bytes={bytes} />;
  return (
    <div className="min-h-0 flex-1 overflow-auto p-3">
      <JsonTree value={parsed.value} />
    </div>
  );
}

/** @returns undefined if the content is not JSON, whatever its name says */
function parseJson(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(decodeText(bytes)) as unknown };
  } catch {
    return undefined;
  }
}

function GridOfText({ format, bytes, isCut }: Pick<PartViewProps, 'format' | 'bytes' | 'isCut'>) {
  const grid = useMemo(() => {
    const text = decodeText(bytes);
    if (format === 'json-lines') return readJsonLines(text, isCut);
    return readDelimited(text, format === 'tsv' ? '\t' : findSeparator(text), isCut);
  }, [format, bytes, isCut]);
  return <GridView grid={grid} />;
}
