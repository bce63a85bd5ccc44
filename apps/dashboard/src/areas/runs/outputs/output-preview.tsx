import { useQuery } from '@tanstack/react-query';
import type { Output } from '@millrace/client';
import { client } from '../../../api/client.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { kindOf, kindOfContent, type OutputKind } from './output-kind.js';
import { downloadUrl } from './output-row.js';
import { formatHex } from './preview/format-hex.js';
import { GridPreview } from './preview/grid-preview.js';
import { ImagePreview } from './preview/image-preview.js';
import { JsonTree } from './preview/json-tree.js';
import { csvToGrid, jsonLinesToGrid } from './preview/to-grid.js';

/** A preview never requests more, however large the output is. */
const MAX_PREVIEW_BYTES = 256 * 1024;
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
const MAX_HEX_BYTES = 4096;

/** The beginning of an output, as its kind is read best. */
export function OutputPreview({ output }: { output: Output }) {
  const kind = kindOf(output);
  const limit = kind === 'image' ? MAX_IMAGE_BYTES : MAX_PREVIEW_BYTES;
  const { data, error } = useQuery({
    queryKey: ['runs', 'output-preview', output.id],
    queryFn: async ({ signal }) => {
      if (output.size === 0) return new Uint8Array();
      const range = { start: 0, end: Math.min(output.size, limit) - 1 };
      return await (await client.outputs.download(output.id, { range, signal })).bytes();
    },
    staleTime: Infinity,
    gcTime: 60_000,
    enabled: kind !== 'image' || output.size <= MAX_IMAGE_BYTES,
  });
  const isComplete = output.size <= limit;
  return (
    <div className="border-t border-line bg-page">
      {error && <ErrorNote error={error} className="m-3" />}
      {!data && !error && isComplete && <Skeleton rows={3} />}
      {data && <Content output={output} kind={kindOfContent(kind, data)} bytes={data} isComplete={isComplete} />}
      {!isComplete && (
        <p className="border-t border-line px-3 py-2 text-xs text-muted">
          {kind === 'image'
            ? 'The image is too large for a preview. '
            : `The first ${formatBytes(limit)} of ${formatBytes(output.size)}. `}
          <a href={downloadUrl(output)} download={output.name} className="link">
            Download all of it
          </a>
        </p>
      )}
    </div>
  );
}

interface ContentProps {
  output: Output;
  kind: OutputKind;
  bytes: Uint8Array<ArrayBuffer>;
  isComplete: boolean;
}

function Content({ output, kind, bytes, isComplete }: ContentProps) {
  if (bytes.length === 0) return <p className="p-3 text-sm text-muted">The file is empty.</p>;
  if (kind === 'image') return <ImagePreview bytes={bytes} format={output.format} name={output.name} />;
  if (kind === 'binary') return <Text text={formatHex(bytes.subarray(0, MAX_HEX_BYTES))} isWrapped={false} />;
  const text = new TextDecoder().decode(bytes);
  if (kind === 'csv') return <GridPreview grid={csvToGrid(text, isComplete)} />;
  if (kind === 'jsonl') return <GridPreview grid={jsonLinesToGrid(text, isComplete)} />;
  const value = kind === 'json' && isComplete ? readJson(text) : undefined;
  return value === undefined ? <Text text={text} isWrapped /> : <JsonTree value={value} />;
}

const Text = ({ text, isWrapped }: { text: string; isWrapped: boolean }) => (
  <pre
    tabIndex={0}
    className={`max-h-100 overflow-auto p-3 font-mono text-xs -outline-offset-2 ${isWrapped ? 'wrap-text whitespace-pre-wrap' : ''}`}
  >
    {text}
  </pre>
);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
