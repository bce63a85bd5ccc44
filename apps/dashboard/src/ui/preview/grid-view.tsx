import { useState } from 'react';
import { countOf } from '../../text/format-count.js';
import { Button } from '../button.js';
import type { Grid } from './read-grid.js';

/** A real table is fast up to some ten thousand cells. */
const ROWS_PER_STEP = 200;
const MAX_COLUMNS = 60;

/** Rows and columns, with a header that stays in view. */
export function GridView({ grid: { columns, rows } }: { grid: Grid }) {
  const [shown, setShown] = useState(ROWS_PER_STEP);
  if (columns.length === 0) return <p className="p-4 text-sm text-muted">No rows.</p>;
  const visible = columns.slice(0, MAX_COLUMNS);
  return (
    <div tabIndex={0} role="region" aria-label="Rows" className="min-h-0 flex-1 overflow-auto">
      <table className="border-separate border-spacing-0 text-xs">
        <thead>
          <tr>
            <th scope="col" className={`${HEAD_CLASS} text-right`}>
              <span className="sr-only">Row</span>
            </th>
            {visible.map((column, at) => (
              <th key={at} scope="col" className={HEAD_CLASS} title={column}>
                <span dir="auto">{column}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="nums">
          {rows.slice(0, shown).map((row, at) => (
            <tr key={at} className="hover:bg-hover">
              <th scope="row" className={`${CELL_CLASS} text-right font-normal text-muted`}>
                {at + 1}
              </th>
              {visible.map((_, column) => (
                <td key={column} className={CELL_CLASS} title={row[column]}>
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="sticky left-0 flex flex-wrap items-center gap-3 px-3 py-2 text-xs text-muted">
        {shown < rows.length && (
          <Button onClick={() => setShown(shown + ROWS_PER_STEP)}>Show {ROWS_PER_STEP} more rows</Button>
        )}
        <span>
          {countOf(rows.length, 'row')} in this part
          {columns.length > MAX_COLUMNS && `, the first ${MAX_COLUMNS} of ${countOf(columns.length, 'column')}`}
        </span>
      </div>
    </div>
  );
}

const HEAD_CLASS =
  'sticky top-0 h-7 max-w-100 truncate border-r border-b border-line bg-panel px-2 text-left font-medium';
const CELL_CLASS = 'h-7 max-w-100 truncate border-r border-b border-line px-2';
