import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Load } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { StatusBadge } from '../../../ui/status.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { notifyError } from '../../../ui/toast.js';
import { isActive } from './load-queries.js';

const STATUSES = {
  PENDING: { status: 'PENDING', label: 'Waiting' },
  READING: { status: 'RUNNING', label: 'Reading' },
  MERGING: { status: 'RUNNING', label: 'Merging' },
  COMPLETED: { status: 'COMPLETED', label: 'Completed' },
  FAILED: { status: 'FAILED', label: 'Failed' },
} as const;

interface LoadRowProps {
  load: Load;
  canEdit: boolean;
  isSelected: boolean;
  onShowRejected: () => void;
}

export function LoadRow({ load, canEdit, isSelected, onShowRejected }: LoadRowProps) {
  const retry = useMutation({
    mutationFn: () => client.loads.retry(load.dataset, load.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tables', 'loads', load.dataset] }),
    onError: (error) => notifyError('The load was not retried', error),
  });
  const { status, label } = STATUSES[load.status];
  const numbers = [load.rows_new, load.rows_changed, load.rows_unchanged, load.rows_gone];
  return (
    <tr className={isSelected ? 'bg-selected' : 'hover:bg-hover'}>
      <td className={CELL}>
        <span className="flex items-center gap-2">
          <StatusBadge status={status} label={label} />
          {load.partial && (
            <span title="Rows may be missing, so no row is gone" className="text-xs text-stopped">
              partial
            </span>
          )}
        </span>
      </td>
      <td className={`${CELL} max-w-96`}>
        <Source load={load} />
        {isActive(load) && <ReadBytes load={load} />}
        {load.error !== undefined && (
          <p className="wrap-text pb-1 text-xs whitespace-normal text-failed">{load.error}</p>
        )}
      </td>
      {numbers.map((number, index) => (
        <td key={index} className={`${CELL} nums text-right ${number === 0 ? 'text-muted' : ''}`}>
          {formatCount(number)}
        </td>
      ))}
      <td className={`${CELL} nums text-right`}>
        {load.rows_rejected > 0 ? (
          <button type="button" className="link" onClick={onShowRejected}>
            {formatCount(load.rows_rejected)}
          </button>
        ) : (
          <span className="text-muted">0</span>
        )}
      </td>
      <td className={`${CELL} text-right text-muted`}>
        <Time value={load.started_date ?? load.created_date} />
      </td>
      <td className={`${CELL} text-right`}>
        {load.status === 'FAILED' && canEdit && (
          <Button icon="retry" isPending={retry.isPending} onClick={() => retry.mutate()}>
            Retry
          </Button>
        )}
      </td>
    </tr>
  );
}

function Source({ load: { run, node, output_name: output, revision } }: { load: Load }) {
  if (run === undefined) return <span>Upload</span>;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link to="/runs/$runId" params={{ runId: run }} className="link">
        Run {run}
      </Link>
      {revision !== undefined && revision > 0 && <span className="text-xs text-muted">after a retry</span>}
      <span dir="auto" title={output} className="truncate text-xs text-muted">
        {node}
      </span>
    </span>
  );
}

function ReadBytes({ load: { bytes, rows_read: rows } }: { load: Load }) {
  return (
    <span className="nums block pb-1 text-xs text-muted">
      {formatBytes(bytes.read)} of {formatBytes(bytes.total)}, {formatCount(rows)} rows
    </span>
  );
}
