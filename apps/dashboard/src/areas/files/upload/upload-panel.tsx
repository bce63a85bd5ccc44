import { useEffect, useState } from 'react';
import { describeError } from '../../../api/describe-error.js';
import { useStore } from '../../../store/create-store.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { countOf } from '../../../text/format-count.js';
import { Button, IconButton } from '../../../ui/button.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import { selectForList, summarizeUploads, type UploadSummary } from './summarize-uploads.js';
import type { Upload, UploadStatus } from './upload-queue.js';
import { isPanelShown, uploadQueue, uploads } from './uploads.js';

const MAX_LISTED = 50;

/** The uploads of this tab below the list: progress of all and of each, failures first. */
export function UploadPanel() {
  const all = useStore(uploads);
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    isPanelShown.set(true);
    return () => isPanelShown.set(false);
  }, []);
  if (all.length === 0) return null;
  const summary = summarizeUploads(all);
  const { counts, isActive } = summary;
  return (
    <section aria-label="Uploads" className="shrink-0 border-t border-line bg-panel">
      <header className="flex min-h-10 flex-wrap items-center gap-2 px-6 py-1 text-sm max-sm:px-4">
        <span role="status" className="nums min-w-0 flex-1">
          {describeSummary(summary)}
        </span>
        {counts.failed > 0 && (
          <Button icon="retry" onClick={() => uploadQueue.retryFailed()}>
            Retry failed
          </Button>
        )}
        {isActive ? (
          <Button onClick={() => uploadQueue.cancelAll()}>Cancel all</Button>
        ) : (
          <Button onClick={() => uploadQueue.clear()}>Clear</Button>
        )}
        <IconButton
          icon={isOpen ? 'chevronDown' : 'chevronUp'}
          label={isOpen ? 'Hide the files' : 'Show the files'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </header>
      <Bar label="All uploads" {...summary} />
      {isOpen && (
        <ul tabIndex={0} aria-label="Files being uploaded" className="max-h-48 overflow-y-auto px-6 py-1 max-sm:px-4">
          {selectForList(all, MAX_LISTED).map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {all.length > MAX_LISTED && (
            <li className="py-1 text-xs text-muted">and {countOf(all.length - MAX_LISTED, 'other file')}</li>
          )}
        </ul>
      )}
    </section>
  );
}

function describeSummary({ counts, totalBytes, loadedBytes, isActive }: UploadSummary): string {
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : '';
  const cancelled = counts.cancelled > 0 ? `, ${counts.cancelled} cancelled` : '';
  const total = counts.waiting + counts.sending + counts.done + counts.failed;
  return isActive
    ? `Uploading ${countOf(total, 'file')}: ${counts.done} done${failed}, ${formatBytes(loadedBytes)} of ${formatBytes(totalBytes)}`
    : `Uploaded ${countOf(counts.done, 'file')}${failed}${cancelled}`;
}

const Bar = ({ label, loadedBytes, totalBytes }: { label: string; loadedBytes: number; totalBytes: number }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuenow={percentOf(loadedBytes, totalBytes)}
    className="h-0.5 w-full bg-pressed"
  >
    <div className="h-full bg-accent" style={{ width: `${percentOf(loadedBytes, totalBytes)}%` }} />
  </div>
);

const percentOf = (part: number, whole: number): number => (whole === 0 ? 100 : Math.round((100 * part) / whole));

const ICONS: Record<UploadStatus, { name: IconName; className: string; label: string }> = {
  waiting: { name: 'circleDashed', className: 'text-queued', label: 'Waiting' },
  sending: { name: 'upload', className: 'text-running', label: 'Uploading' },
  done: { name: 'circleCheck', className: 'text-succeeded', label: 'Uploaded' },
  failed: { name: 'circleX', className: 'text-failed', label: 'Failed' },
  cancelled: { name: 'circleSlash', className: 'text-stopped', label: 'Cancelled' },
};

/** What went wrong in one line: a rejected path says why. */
function explain(error: unknown): string {
  const { message, fields } = describeError(error);
  const problems = Object.values(fields);
  return problems.length > 0 ? problems.join('; ') : message;
}

function UploadRow({ upload: { id, path, size, loaded, status, error } }: { upload: Upload }) {
  const isOngoing = status === 'waiting' || status === 'sending';
  return (
    <li className="flex min-h-8 items-center gap-2.5 text-sm">
      <Icon {...ICONS[status]} size={14} />
      <span dir="auto" title={path} className="min-w-0 flex-1 truncate">
        {path}
      </span>
      {error !== undefined && <span className="wrap-text min-w-0 flex-1 text-xs text-failed">{explain(error)}</span>}
      <span className="nums text-xs whitespace-nowrap text-muted">
        {status === 'sending' ? `${percentOf(loaded, size)} % of ${formatBytes(size)}` : formatBytes(size)}
      </span>
      {isOngoing && <IconButton icon="x" label={`Cancel ${path}`} onClick={() => uploadQueue.cancel(id)} />}
      {(status === 'failed' || status === 'cancelled') && (
        <IconButton icon="retry" label={`Retry ${path}`} onClick={() => uploadQueue.retry(id)} />
      )}
    </li>
  );
}
