import type { Column, Dataset } from '@millrace/client';
import { formatCell } from '../grid/format-cell.js';
import { TypeMark } from '../grid/grid-header.js';
import { type Change, type ChangeKind, chooseColumns, compareCell } from './compare-rows.js';

interface ChangeTableProps {
  table: Dataset;
  kind: ChangeKind;
  changes: readonly Change[];
  onOpenRow: (row: string) => void;
}

/** Rows that a run changed. A changed cell shows its value before and after. */
export function ChangeTable({ table, kind, changes, onOpenRow }: ChangeTableProps) {
  const all = (table.columns ?? []).filter(({ system }) => !system);
  const columns = chooseColumns(all, changes, kind);
  return (
    <table className="min-w-full border-collapse text-sm">
      <thead className="sticky top-0 z-10 bg-panel text-left text-xs">
        <tr>
          <th scope="col" className="h-8 border-b border-line pr-3 pl-6 text-right font-medium text-muted">
            Row
          </th>
          {columns.map(({ name, type }) => (
            <th key={name} scope="col" className="h-8 border-b border-line px-3 font-medium whitespace-nowrap">
              <span className="flex items-center gap-1.5">
                <TypeMark type={type} />
                <span dir="auto" title={name} className="max-w-60 truncate">
                  {name}
                </span>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.row} className="border-b border-line hover:bg-hover">
            <th scope="row" className="h-8 pr-3 pl-6 text-right text-xs font-normal">
              <button type="button" className="link nums" onClick={() => onOpenRow(String(change.row))}>
                {change.row}
              </button>
            </th>
            {columns.map((column) => (
              <ChangedCell key={column.name} change={change} column={column} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ChangedCell({ change, column }: { change: Change; column: Column }) {
  const { before, after, isChanged } = compareCell(change, column.name);
  return (
    <td className="h-8 max-w-96 px-3 whitespace-nowrap">
      {isChanged ? (
        <span className="flex items-center gap-1.5">
          <Value as="del" value={before} type={column.type} className="bg-failed-soft text-failed" />
          <span className="text-muted" aria-hidden>
            →
          </span>
          <Value as="ins" value={after} type={column.type} className="bg-succeeded-soft text-succeeded no-underline" />
        </span>
      ) : (
        <Value as="span" value={after} type={column.type} className="block" />
      )}
    </td>
  );
}

interface ValueProps {
  as: 'del' | 'ins' | 'span';
  value: unknown;
  type: Column['type'];
  className: string;
}

function Value({ as: Tag, value, type, className }: ValueProps) {
  const { text, isMissing } = formatCell(value, type);
  const shown = isMissing ? (Tag === 'span' ? '' : 'no value') : text === '' ? '“”' : text;
  return (
    <Tag
      dir="auto"
      title={text}
      className={`nums min-w-0 truncate rounded-sm ${Tag === 'span' ? '' : 'px-1'} ${className}`}
    >
      {shown}
    </Tag>
  );
}
