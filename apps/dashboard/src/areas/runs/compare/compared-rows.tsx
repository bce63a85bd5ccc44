import { useInfiniteQuery } from '@tanstack/react-query';
import type { RowComparison } from '@millrace/client';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { rowsQuery } from './compare-queries.js';
import { MoreButton } from './more-button.js';

const TONES = { new: 'text-succeeded', changed: 'text-stopped', gone: 'text-failed' } as const;

/** The rows of a table that differ, with old and new values. */
export function ComparedRows({ a, b, table }: { a: string; b: string; table: string }) {
  const list = useInfiniteQuery(rowsQuery(a, b, table));
  if (list.error && !list.data) return <ErrorNote error={list.error} className="m-3" />;
  if (!list.data) return <Skeleton rows={4} />;
  const rows = list.data.pages.flatMap(({ results }) => results);
  return (
    <div className="border-t border-line px-3 pb-3">
      <ul className="divide-y divide-line text-sm">
        {rows.map((row) => (
          <li key={`${row.change} ${row.row}`} className="flex gap-4 py-1.5">
            <span className={`w-16 shrink-0 text-xs leading-5 ${TONES[row.change]}`}>{row.change}</span>
            <span dir="auto" className="wrap-text w-1/3 min-w-0 font-medium">
              {row.key ? Object.values(row.key).map(toText).join(', ') : `row ${row.row}`}
            </span>
            <RowValues row={row} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
    </div>
  );
}

/** The values beside the key: of a changed row the old and the new ones. */
function RowValues({ row: { change, key, a, b } }: { row: RowComparison }) {
  const columns = Object.keys((change === 'gone' ? a : b) ?? {}).filter((column) => !Object.hasOwn(key ?? {}, column));
  return (
    <span className="flex min-w-0 flex-1 flex-wrap gap-x-5 gap-y-0.5 font-mono text-xs leading-5">
      {columns.map((column) => (
        <span key={column} dir="auto" className="wrap-text min-w-0">
          <span className="text-muted">{column}</span>{' '}
          {change === 'changed' && (
            <>
              <del className="rounded-sm bg-failed-soft px-1">{toText(a?.[column])}</del>{' '}
            </>
          )}
          {change === 'changed' ? (
            <ins className="rounded-sm bg-succeeded-soft px-1 no-underline">{toText(b?.[column])}</ins>
          ) : (
            toText((change === 'gone' ? a : b)?.[column])
          )}
        </span>
      ))}
    </span>
  );
}

const toText = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
