import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { SearchInput } from '../../../ui/search-input.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { formatCell } from '../grid/format-cell.js';
import { type FilterColumn, isFilterable, writeIsOneOf } from './write-filter.js';

const MAX_VALUES = 200;

interface ValuesDialogProps {
  table: string;
  column: FilterColumn;
  q: string;
  onFilter: (condition: string) => void;
  onClose: () => void;
}

/** The values of a column with their numbers of rows, to filter by some of them. */
export function ValuesDialog({ table, column, q, onFilter, onClose }: ValuesDialogProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<string, unknown>>(new Map());
  const values = useQuery({
    queryKey: ['tables', 'values', table, column.name, q, search],
    queryFn: async ({ signal }) => {
      const query = { limit: MAX_VALUES, ...(q !== '' && { q }), ...(search !== '' && { search }) };
      return client.columns.values(table, column.name, query, { signal });
    },
    placeholderData: keepPreviousData,
  });
  const toggle = (value: unknown) => {
    const key = JSON.stringify(value);
    const next = new Map(chosen);
    if (!next.delete(key)) next.set(key, value);
    setChosen(next);
  };
  const apply = (isNegated: boolean) => {
    const condition = writeIsOneOf(column, [...chosen.values()]);
    onFilter(isNegated ? `NOT ${condition.startsWith('(') ? condition : `(${condition})`}` : condition);
    onClose();
  };
  const largest = Math.max(1, ...(values.data?.results.map(({ rows }) => rows) ?? []));
  return (
    <Dialog
      title={`Values of ${column.name}`}
      description={
        q === ''
          ? 'The most frequent values come first.'
          : 'Among the rows of the present query. The most frequent values come first.'
      }
      onClose={onClose}
      width={560}
    >
      <SearchInput label="Search values" value={search} onChange={setSearch} />
      {values.error && <ErrorNote error={values.error} onRetry={() => void values.refetch()} />}
      {values.isPending && <Skeleton rows={8} />}
      <ul className="mt-3 max-h-[44vh] overflow-y-auto" aria-label={`Values of ${column.name}`}>
        {values.data?.results.map(({ value, rows }) => {
          const { text, isMissing } = formatCell(value, column.type);
          const key = JSON.stringify(value);
          return (
            <li key={key}>
              <label className="relative flex h-8 items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-hover">
                <span
                  aria-hidden
                  className="absolute inset-y-1 right-0 rounded-sm bg-accent-soft"
                  style={{ width: `${(rows / largest) * 40}%` }}
                />
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-(--accent-9)"
                  checked={chosen.has(key)}
                  disabled={!isFilterable(value)}
                  onChange={() => toggle(value)}
                />
                <span
                  dir="auto"
                  title={text}
                  className={`z-10 min-w-0 flex-1 truncate ${isMissing || text === '' ? 'text-muted' : ''}`}
                >
                  {isMissing ? 'No value' : text === '' ? 'Empty text' : text}
                </span>
                <span className="nums z-10 text-xs text-muted">{formatCount(rows)}</span>
              </label>
            </li>
          );
        })}
      </ul>
      {values.data?.results.length === 0 && (
        <p className="py-6 text-center text-sm text-muted">No value contains this text.</p>
      )}
      {values.data?.more && <p className="mt-2 text-xs text-muted">There are more values. Search for others.</p>}
      <DialogActions>
        <Button onClick={() => apply(true)} disabled={chosen.size === 0}>
          Not these
        </Button>
        <Button look="primary" onClick={() => apply(false)} disabled={chosen.size === 0}>
          Only these
        </Button>
      </DialogActions>
    </Dialog>
  );
}
