import type { ReactNode } from 'react';
import { ErrorNote } from '../../../ui/error-note.js';
import { Pager } from '../../../ui/pager.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { HEAD_CELL, Table } from '../../../ui/table.js';

export interface Column {
  title: string;
  /** Classes of its cells, such as those that hide it if there is no room. */
  className?: string;
  /** Whether the title is for screen readers only. */
  isUntitled?: boolean;
}

/** The last column, with what can be done. */
export const ACTIONS: Column = { title: 'Actions', isUntitled: true };

/** Classes of columns that are shown from a width of the page on. */
export const FROM_MEDIUM = '@max-2xl:hidden';
export const FROM_WIDE = '@max-4xl:hidden';

export const HeadCells = ({ columns }: { columns: readonly Column[] }) =>
  columns.map(({ title, className = '', isUntitled }) => (
    <th key={title} scope="col" className={`${HEAD_CELL} ${className}`}>
      {isUntitled ? <span className="sr-only">{title}</span> : title}
    </th>
  ));

interface RecordTableProps<T> {
  /** What the table contains, for screen readers. */
  label: string;
  columns: readonly Column[];
  /** The head of a first column with checkboxes. */
  selectAll?: ReactNode;
  /** The query that reads the records. */
  list: { data: { results: readonly T[]; count?: number } | undefined; error: unknown; refetch: () => unknown };
  /** Absent if the list has no pages. */
  pages?: { page: number | undefined; size: number; noun: string; onPage: (page: number) => void };
  /** Shown if there are no records. */
  empty: ReactNode;
  /** The row of a record. */
  children: (record: T) => ReactNode;
}

/** A table of records, with what is shown while it loads, if it cannot be loaded, and if there are none. */
export function RecordTable<T>({ label, columns, selectAll, list, pages, empty, children }: RecordTableProps<T>) {
  const { data, error, refetch } = list;
  const note = Boolean(error) && <ErrorNote error={error} onRetry={refetch} className="mt-0 mb-3" />;
  if (!data) return note || <Skeleton className="px-0!" />;
  if (data.results.length === 0 && (pages?.page ?? 1) === 1) {
    return (
      <>
        {note}
        {empty}
      </>
    );
  }
  return (
    <>
      {note}
      <Table
        label={label}
        head={
          <>
            {selectAll}
            <HeadCells columns={columns} />
          </>
        }
      >
        {data.results.map(children)}
      </Table>
      {pages && (
        <Pager
          page={pages.page ?? 1}
          pageSize={pages.size}
          count={data.count ?? data.results.length}
          noun={pages.noun}
          onPage={pages.onPage}
        />
      )}
    </>
  );
}
