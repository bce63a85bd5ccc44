import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TableComparison } from '@millrace/client';
import { countOf, formatCount } from '../../../text/format-count.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Card } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { tablesQuery } from './compare-queries.js';
import { ComparedRows } from './compared-rows.js';
import { MoreButton } from './more-button.js';

interface ComparedTablesProps {
  a: string;
  b: string;
  /** The table whose rows are shown. */
  open: string | undefined;
  onOpen: (table: string | undefined) => void;
}

/** The Live Tables that the runs loaded: rows that are new, changed and gone. */
export function ComparedTables({ a, b, open, onOpen }: ComparedTablesProps) {
  const list = useInfiniteQuery(tablesQuery(a, b));
  if (list.error && !list.data)
    return <ErrorNote error={list.error} onRetry={() => void list.refetch()} className="mt-0" />;
  if (!list.data) return <Skeleton />;
  const tables = list.data.pages.flatMap(({ results }) => results);
  if (tables.length === 0)
    return (
      <EmptyState icon="table" title="No table was loaded">
        Neither run loaded a Live Table. Bind an output of the workflow to a table, and the rows of two runs can be
        compared here.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-3 pb-8">
      {tables.map((table) => (
        <Card key={table.dataset}>
          <TableRow table={table} isOpen={open === table.dataset} onToggle={onOpen} />
          {open === table.dataset && <ComparedRows a={a} b={b} table={table.dataset} />}
        </Card>
      ))}
      <MoreButton list={list} />
    </div>
  );
}

const CHANGES = [
  { change: 'new', tone: 'text-succeeded' },
  { change: 'changed', tone: 'text-stopped' },
  { change: 'gone', tone: 'text-failed' },
] as const;

interface TableRowProps {
  table: TableComparison;
  isOpen: boolean;
  onToggle: (table: string | undefined) => void;
}

function TableRow({ table: { dataset, name, counts, message, a, b }, isOpen, onToggle }: TableRowProps) {
  const isSame = counts !== null && counts.new + counts.changed + counts.gone === 0;
  return (
    <div className="nums flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2 text-sm">
      <Icon name="table" className="text-muted" />
      <Link
        to="/tables/$tableId"
        params={{ tableId: dataset }}
        className="link min-w-0 font-medium wrap-text"
        dir="auto"
      >
        {name}
      </Link>
      <span className="text-muted">
        {describeRows(a)} → {describeRows(b)}
      </span>
      <span className="ml-auto flex items-center gap-3">
        {counts === null && <span className="text-muted">{message ?? 'The rows are not known.'}</span>}
        {isSame && <span className="text-muted">all rows are the same</span>}
        {counts !== null && !isSame && (
          <>
            {CHANGES.map(({ change, tone }) => (
              <span key={change} className={counts[change] > 0 ? tone : 'text-muted'}>
                {formatCount(counts[change])} {change}
              </span>
            ))}
            <button
              type="button"
              className="link"
              aria-expanded={isOpen}
              onClick={() => onToggle(isOpen ? undefined : dataset)}
            >
              {isOpen ? 'Hide the rows' : 'Show the rows'}
            </button>
          </>
        )}
      </span>
    </div>
  );
}

const describeRows = ({ load, rows }: TableComparison['a']): string => {
  if (load === 'absent') return 'not loaded';
  const count = rows === null ? 'rows not known' : countOf(rows, 'row');
  return load === 'complete' ? count : `${count} (${load})`;
};
