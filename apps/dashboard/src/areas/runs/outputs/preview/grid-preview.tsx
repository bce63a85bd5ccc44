import type { Grid } from './to-grid.js';

/** Rows of a CSV file or of JSON lines. */
export const GridPreview = ({ grid: { columns, rows } }: { grid: Grid }) => (
  <div tabIndex={0} role="region" aria-label="Rows" className="max-h-100 overflow-auto -outline-offset-2">
    <table className="border-collapse text-xs">
      <thead className="sticky top-0 bg-panel">
        <tr>
          {columns.map((column, place) => (
            <th
              key={place}
              dir="auto"
              className="max-w-80 truncate border-b border-line px-2.5 py-1.5 text-left font-medium"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={place} className="border-b border-line last:border-0">
            {row.map((value, column) => (
              <td key={column} dir="auto" title={value} className="max-w-80 truncate px-2.5 py-1 font-mono">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
