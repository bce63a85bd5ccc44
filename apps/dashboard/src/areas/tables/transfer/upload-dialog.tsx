import { useMutation, useQuery } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import type { Dataset, Load } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { appendWithProgress } from '../../../api/upload-with-progress.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { countOf, formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { SelectField } from '../../../ui/field.js';
import { FileButton } from '../../../ui/file-button.js';
import { Icon } from '../../../ui/icon.js';
import { isActive } from '../loads/load-queries.js';
import { detectFormat, type UploadFormat } from './detect-format.js';

const FORMATS = [
  { value: 'csv', label: 'CSV with a header' },
  { value: 'ndjson', label: 'JSON lines' },
  { value: 'json', label: 'JSON array' },
] as const;

interface UploadDialogProps {
  table: Dataset;
  onShowRejected: (load: string) => void;
  onClose: () => void;
}

/** Adds the rows of a file to the table. */
export function UploadDialog({ table, onShowRejected, onClose }: UploadDialogProps) {
  const [file, setFile] = useState<File>();
  const [format, setFormat] = useState<UploadFormat>({ format: 'csv' });
  const [sent, setSent] = useState(0);
  const stopping = useRef(new AbortController());
  const upload = useMutation({
    mutationFn: (source: File) =>
      appendWithProgress(table.id, source, {
        ...format,
        signal: stopping.current.signal,
        onProgress: ({ loaded }) => setSent(loaded),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tables'] }),
  });
  const choose = async (chosen: File) => {
    setFile(chosen);
    upload.reset();
    setFormat(detectFormat(chosen.name, await chosen.slice(0, 200).text()) ?? { format: 'ndjson', encoding: 'gzip' });
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (dropped && !upload.isPending) void choose(dropped);
  };
  const isStopped = upload.isError && stopping.current.signal.aborted;
  const close = () => {
    stopping.current.abort();
    onClose();
  };
  return (
    <Dialog
      title="Upload rows"
      description={
        table.primary_key.length > 0
          ? `A row replaces the one with the same ${table.primary_key.join(', ')}. Other rows stay.`
          : 'The rows are added to those of the table.'
      }
      onClose={close}
      isDismissible={!upload.isPending}
    >
      {upload.data ? (
        <Result load={upload.data} onShowRejected={onShowRejected} />
      ) : (
        <div className="flex flex-col gap-4">
          <div
            onDragOver={(event) => event.preventDefault()}
            onDrop={onDrop}
            className="flex flex-col items-center gap-2 rounded-md border border-dashed border-line-strong px-4 py-6 text-sm text-muted"
          >
            <Icon name="upload" size={20} />
            {file ? (
              <span dir="auto" className="wrap-text text-center text-ink">
                {file.name} <span className="nums text-muted">({formatBytes(file.size)})</span>
              </span>
            ) : (
              'Drop a CSV or JSON file here, plain or compressed with gzip or zstd'
            )}
            <FileButton
              label={file ? 'Choose another file' : 'Choose a file'}
              accept=".csv,.tsv,.json,.jsonl,.ndjson,.gz,.zst,.txt"
              onFile={choose}
            />
          </div>
          {file && (
            <SelectField
              label="Format"
              value={format.format}
              options={FORMATS}
              onChange={(value) => setFormat({ ...format, format: value })}
            />
          )}
        </div>
      )}
      {upload.isPending && file && <Sending sent={Math.min(sent, file.size)} total={file.size} />}
      {upload.error && !isStopped && <ErrorNote error={upload.error} />}
      {isStopped && (
        <p role="status" className="mt-3 text-sm text-muted">
          The upload was stopped.
        </p>
      )}
      <DialogActions>
        {upload.isPending ? (
          <Button onClick={() => stopping.current.abort()}>Stop the upload</Button>
        ) : (
          <Button onClick={close}>{upload.data ? 'Close' : 'Cancel'}</Button>
        )}
        {!upload.data && (
          <Button
            look="primary"
            disabled={!file}
            isPending={upload.isPending}
            {...(upload.error && { icon: 'retry' as const })}
            onClick={() => {
              stopping.current = new AbortController();
              setSent(0);
              if (file) upload.mutate(file);
            }}
          >
            {upload.error ? 'Retry' : 'Upload'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** The bytes that were sent. After the last one, the server stores the file before it responds. */
const Sending = ({ sent, total }: { sent: number; total: number }) => (
  <div className="mt-3 text-sm text-muted">
    <p role="status" className="nums">
      {sent < total
        ? `Uploading: ${formatBytes(sent)} of ${formatBytes(total)}`
        : 'Uploaded. The server stores the file…'}
    </p>
    <progress
      value={total === 0 ? 0 : sent / total}
      aria-label="Upload"
      className="mt-2 h-1.5 w-full accent-(--accent-9)"
    />
  </div>
);

/** The progress of the load that the upload has become, and its result. */
function Result({ load: first, onShowRejected }: { load: Load; onShowRejected: (load: string) => void }) {
  const followed = useQuery({
    queryKey: ['tables', 'loads', first.dataset, 'upload', first.id],
    queryFn: async ({ signal }) => {
      const load = await client.loads.get(first.dataset, first.id, { signal });
      if (!isActive(load)) void queryClient.invalidateQueries({ queryKey: ['tables', 'table', first.dataset] });
      return load;
    },
    initialData: first,
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? 1_000 : false),
    enabled: isActive(first),
  });
  const load = followed.data;
  if (isActive(load)) {
    const share = load.bytes.total === 0 ? 0 : load.bytes.read / load.bytes.total;
    return (
      <div role="status" className="text-sm">
        <p>
          The rows are being loaded: {formatCount(load.rows_read)} read. You can close this dialog; the load continues.
        </p>
        <progress value={share} aria-label="Read" className="mt-2 h-1.5 w-full accent-(--accent-9)" />
      </div>
    );
  }
  if (load.status === 'FAILED')
    return (
      <p role="alert" className="wrap-text text-sm text-failed">
        The load failed, and nothing was added. {load.error}
      </p>
    );
  return (
    <div role="status" className="text-sm">
      {load.rows_new + load.rows_changed + load.rows_unchanged > 0 ? (
        <p className="flex items-center gap-2 font-medium">
          <Icon name="circleCheck" className="text-succeeded" /> Loaded
        </p>
      ) : (
        <p className="flex items-center gap-2 font-medium">
          <Icon name="circleAlert" className="text-stopped" />
          {load.rows_rejected > 0 ? 'No row of the file could be read' : 'The file has no rows after its header'}
        </p>
      )}
      <ul className="nums mt-2 list-disc pl-6">
        <li>{countOf(load.rows_new, 'new row')}</li>
        <li>{countOf(load.rows_changed, 'changed row')}</li>
        <li>{countOf(load.rows_unchanged, 'unchanged row')}</li>
        {load.rows_rejected > 0 && (
          <li>
            <button type="button" className="link" onClick={() => onShowRejected(load.id)}>
              {countOf(load.rows_rejected, 'row')} could not be read
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
