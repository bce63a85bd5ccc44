import { useEffect } from 'react';
import { MillraceError } from '@millrace/client';
import { queryClient } from '../../../api/query-client.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { tableQuery } from './table-queries.js';

interface RowsErrorProps {
  error: unknown;
  table: string;
  onRetry: () => void;
  /** Undefined if the page does not sort the rows. */
  onRemoveSort?: () => void;
}

/** Why the rows cannot be read. */
export function RowsError({ error, table, onRetry, onRemoveSort }: RowsErrorProps) {
  const isInvalid = error instanceof MillraceError && error.code === 'validation_error';
  useEffect(() => {
    // Somebody may have renamed or deleted a column since the page has read them.
    if (isInvalid) void queryClient.invalidateQueries({ queryKey: tableQuery(table).queryKey, exact: true });
  }, [error, isInvalid, table]);
  const names = Object.keys((isInvalid && error.details) || {});
  const isOrder = names.includes('query.order');
  const isView = names.some((name) => name.startsWith('view.'));
  return (
    <div className="px-6 pb-3 max-sm:px-4">
      <ErrorNote error={error} {...(!isOrder && !isView && { onRetry })} className="mt-0" />
      {isView && (
        <p className="mt-2 text-sm text-muted">
          The view no longer fits the columns of the table.
          {names.includes('view.order')
            ? ' Sort by another column, then update the view in its menu.'
            : ' Open it as a query of the table, correct the query, and save it as a view again.'}
        </p>
      )}
      {isOrder && onRemoveSort && (
        <Button icon="x" className="mt-2" onClick={onRemoveSort}>
          Show the rows without this sort
        </Button>
      )}
    </div>
  );
}
