import { lazy, Suspense, useState } from 'react';
import { client } from '../../../api/client.js';
import { Button, IconButton } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import type { GridColumn } from '../grid/column-layout.js';
import { useQueryCheck } from './use-query-check.js';

const QueryEditor = lazy(() =>
  import('./query-editor.js').then(({ QueryEditor: component }) => ({ default: component })),
);

/** An error of the applied query. */
export interface QueryProblem {
  message: string;
  position: number | undefined;
}

interface QueryBarProps {
  table: string;
  columns: readonly Pick<GridColumn, 'name' | 'type'>[];
  /** The applied query. */
  value: string;
  problem: QueryProblem | undefined;
  isLoading: boolean;
  onApply: (q: string) => void;
}

/** The field of a query. Enter applies it; errors are underlined where they are. */
export function QueryBar({ table, columns, value, problem, isLoading, onApply }: QueryBarProps) {
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  const [sent, setSent] = useState<string>();
  if (shown !== value) {
    setShown(value);
    setSent(undefined);
    // The address has changed by itself, for example by the Back button or a filter.
    if (value !== sent) setDraft(value);
  }
  const apply = (q: string) => {
    setSent(q.trim());
    onApply(q.trim());
  };
  const isApplied = draft.trim() === (sent ?? value).trim();
  const found = useQueryCheck(table, draft, !isApplied);
  const error = isApplied ? problem : found;
  return (
    <div className="min-w-0 flex-1 max-sm:basis-full">
      <div
        className={`flex min-h-8 items-start gap-1 rounded-md border bg-raised pl-2.5 focus-within:outline-2 focus-within:outline-(--accent-8) ${error ? 'border-failed' : 'border-line-strong hover:border-muted'}`}
      >
        <Icon name={isLoading ? 'loader' : 'filter'} className={`mt-2 text-muted ${isLoading ? 'animate-spin' : ''}`} />
        <Suspense fallback={<span className="flex-1 truncate px-0.5 py-1.5 font-mono text-sm">{draft}</span>}>
          <QueryEditor
            value={draft}
            onChange={setDraft}
            onApply={apply}
            help={{
              columns,
              suggest: (text, position, signal) => client.rows.help(table, { text, position }, { signal }),
              findValues: (column, search, signal) =>
                client.columns.values(table, column, { limit: 30, ...(search !== '' && { search }) }, { signal }),
            }}
            errorAt={error?.position}
            describedBy={error?.message}
          />
        </Suspense>
        {!isApplied && (
          <Button look="primary" className="my-0.5 h-6.5!" onClick={() => apply(draft)}>
            Apply
          </Button>
        )}
        {draft !== '' && (
          <IconButton
            icon="x"
            label="Clear the query"
            className="mr-0.5 -ml-0.5 h-7.5! w-7!"
            onClick={() => {
              setDraft('');
              apply('');
            }}
          />
        )}
      </div>
      <p role="status" className={error ? 'wrap-text mt-1 text-xs text-failed' : 'sr-only'}>
        {error ? `The query ${error.message}` : ''}
      </p>
    </div>
  );
}
