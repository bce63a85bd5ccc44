import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { formatBytes } from '../../text/format-bytes.js';
import { countOf } from '../../text/format-count.js';
import { Button } from '../button.js';
import { ErrorNote } from '../error-note.js';
import { Select } from '../field.js';
import { Skeleton } from '../skeleton.js';
import { detectFormat } from './detect-format.js';
import { listViews, VIEW_LABELS, type PreviewView } from './list-views.js';
import { PartView } from './part-view.js';
import { FIRST_PART_BYTES, MAX_TEXT_BYTES, type ReadRange } from './read-range.js';

interface ContentPreviewProps {
  /** Identifies the content in the cache: its hash, or an id whose content never changes. */
  contentKey: string;
  /** The name of the file, whose extension helps to detect the format. */
  name: string;
  /** Bytes of the whole content. */
  size: number;
  read: ReadRange;
  /** The chosen view, if the page keeps it in its address. */
  view?: PreviewView | undefined;
  onViewChange?: (view: PreviewView) => void;
  /** Where the whole content is, offered beside a part of it. */
  wholeUrl?: string;
  className?: string;
}

/** Shows the first part of a content by its format: text, JSON as a tree, CSV and JSON lines as a grid, images, bytes. */
export function ContentPreview(props: ContentPreviewProps) {
  const { contentKey, name, size, read, wholeUrl, className = '' } = props;
  const [limit, setLimit] = useState(FIRST_PART_BYTES);
  const [ownView, setOwnView] = useState<PreviewView>();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['preview', contentKey, limit],
    queryFn: ({ signal }) =>
      size === 0 ? new Uint8Array() : read({ start: 0, end: Math.min(limit, size) - 1 }, signal),
    staleTime: Infinity,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const format = useMemo(() => data && detectFormat(name, data), [data, name]);
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} className={className} />;
  if (!data || !format) return <Skeleton className={className} />;
  if (size === 0) return <p className={`p-4 text-sm text-muted ${className}`}>The file is empty.</p>;

  const isCut = data.length < size;
  const views = listViews(format, isCut);
  const chosen = props.view ?? ownView;
  const view = chosen && views.includes(chosen) ? chosen : views[0];
  const choose = props.onViewChange ?? setOwnView;
  return (
    <div className={`flex min-h-0 flex-col ${className}`}>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-panel px-3 py-1 text-xs text-muted">
        <Select
          aria-label="View"
          className="h-7! w-auto!"
          value={view}
          options={views.map((value) => ({ value, label: VIEW_LABELS[value] }))}
          onChange={choose}
        />
        <span className="nums min-w-0 flex-1" role="status">
          {isCut && view !== 'image'
            ? `The first ${formatBytes(data.length)} of ${formatBytes(size)}`
            : size < 1_000
              ? countOf(size, 'byte')
              : `${formatBytes(size)} (${countOf(size, 'byte')})`}
        </span>
        {isCut && wholeUrl !== undefined && (
          <a href={wholeUrl} download={name} className="link">
            Download all of it
          </a>
        )}
        {isCut && view !== 'image' && data.length < MAX_TEXT_BYTES && (
          <Button
            look="quiet"
            className="h-7!"
            isPending={isFetching}
            onClick={() => setLimit(Math.min(4 * limit, MAX_TEXT_BYTES))}
          >
            Show more
          </Button>
        )}
      </div>
      <PartView {...{ view, format, name, size, read, contentKey, isCut }} bytes={data} />
    </div>
  );
}
