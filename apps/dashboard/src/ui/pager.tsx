import { countOf, formatCount } from '../text/format-count.js';
import { IconButton } from './button.js';

interface PagerProps {
  page: number;
  pageSize: number;
  count: number;
  /** What is counted, in singular. */
  noun: string;
  onPage: (page: number) => void;
}

/** Which part of a list is shown, and buttons to the pages beside it. */
export function Pager({ page, pageSize, count, noun, onPage }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, count);
  if (count <= pageSize && page === 1) return <p className="nums mt-2 text-xs text-muted">{countOf(count, noun)}</p>;
  return (
    <div className="mt-2 flex items-center gap-1 text-xs text-muted">
      <span className="nums flex-1">
        {first <= last ? `${formatCount(first)}–${formatCount(last)} of ${countOf(count, noun)}` : countOf(count, noun)}
      </span>
      <IconButton icon="chevronLeft" label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <IconButton icon="chevronRight" label="Next page" disabled={last >= count} onClick={() => onPage(page + 1)} />
    </div>
  );
}
