import type { Dataset } from '@millrace/client';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copyable.js';
import { EmptyState } from '../../../ui/empty-state.js';

/** A table without columns: how its first rows come into it. */
export const EmptyTable = ({ table, onUpload }: { table: Dataset; onUpload: (() => void) | undefined }) => (
  <EmptyState
    icon="table"
    title="No rows yet"
    actions={
      onUpload && (
        <Button look="primary" icon="upload" onClick={onUpload}>
          Upload a file
        </Button>
      )
    }
  >
    {onUpload ? (
      <>
        <p className="mb-3">
          Bind an output of a workflow to this table in the editor: each run then loads its rows here. You can also
          upload a CSV or JSON file, or send rows to the API:
        </p>
        <div className="text-left">
          <Copyable
            text={`curl -X POST ${location.origin}/api/datasets/${table.id}/rows -H "Authorization: Token $MILLRACE_TOKEN" -H "Content-Type: text/csv" --data-binary @rows.csv`}
          />
        </div>
      </>
    ) : (
      'Neither a run nor a file has brought rows into this table. They appear here when one does.'
    )}
  </EmptyState>
);
