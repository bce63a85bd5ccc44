import type { ColumnType } from '../grid/column-layout.js';
import { formatCell } from '../grid/format-cell.js';
import { formatAmount } from './format-amount.js';

export interface Bar {
  value: unknown;
  amount: number;
}

interface ValueBarsProps {
  type: ColumnType;
  bars: readonly Bar[];
  hasMore: boolean;
  /** Shows the rows with a value. */
  onChoose?: (value: unknown) => void;
}

/** Groups as horizontal bars, which are a table for screen readers. */
export function ValueBars({ type, bars, hasMore, onChoose }: ValueBarsProps) {
  const largest = Math.max(1e-9, ...bars.map(({ amount }) => Math.abs(amount)));
  return (
    <>
      <table className="w-full max-w-4xl text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ value, amount }) => {
            const { text, isMissing } = formatCell(value, type);
            const label = isMissing ? 'No value' : text === '' ? 'Empty text' : text;
            return (
              <tr key={JSON.stringify(value)} className="hover:bg-hover">
                <th scope="row" className="h-8 w-64 max-w-64 pr-3 text-left font-normal">
                  {onChoose ? (
                    <button
                      type="button"
                      dir="auto"
                      title={`Show the rows with ${label}`}
                      onClick={() => onChoose(value)}
                      className="nums block max-w-full truncate hover:underline"
                    >
                      {label}
                    </button>
                  ) : (
                    <span className="nums block truncate">{label}</span>
                  )}
                </th>
                <td className="h-8">
                  <span className="flex items-center gap-2">
                    <span
                      aria-hidden
                      className="h-4 min-w-px rounded-sm bg-accent"
                      style={{ width: `${(Math.abs(amount) / largest) * 80}%` }}
                    />
                    <span className="nums text-xs text-muted">{formatAmount(amount)}</span>
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {hasMore && (
        <p className="mt-2 text-xs text-muted">There are more values. The largest {bars.length} are shown.</p>
      )}
    </>
  );
}
