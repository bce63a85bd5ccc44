import type { ReactNode } from 'react';
import { Icon } from './icon.js';

/** A plain table of records: rows of 36 px, a line between them. It scrolls sideways if it has no room. */
export const Table = ({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) => (
  <div
    className="relative overflow-x-auto rounded-md border border-line bg-raised"
    tabIndex={0}
    role="region"
    aria-label={label}
  >
    <table className="w-full border-collapse text-sm">
      <thead className="border-b border-line bg-panel text-left text-xs text-muted">
        <tr>{head}</tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  </div>
);

export const HEAD_CELL = 'h-8 px-3 font-medium whitespace-nowrap';
export const CELL = 'h-9 px-3 whitespace-nowrap';

interface SortHeadProps {
  label: string;
  /** The field of the API's `ordering`. */
  field: string;
  /** The present `ordering`: a field, with a leading `-` for descending order. */
  sort: string;
  onSort: (sort: string) => void;
  className?: string;
}

/** The head of a column that sorts: the first click ascends, the next descends. */
export function SortHead({ label, field, sort, onSort, className = '' }: SortHeadProps) {
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className={`${HEAD_CELL} ${className}`}>
      <button
        type="button"
        onClick={() => onSort(direction === 'ascending' ? `-${field}` : field)}
        className={`-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:text-ink ${direction ? 'text-ink' : ''}`}
      >
        {label}
        {direction && <Icon name={direction === 'ascending' ? 'arrowUp' : 'arrowDown'} size={12} />}
      </button>
    </th>
  );
}
