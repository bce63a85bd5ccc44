import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Dataset, ExportRequest, ExportsCreateBody, View } from '@millrace/client';
import { apiUrl, client } from '../../../api/client.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Checkbox, SelectField } from '../../../ui/field.js';
import { AllColumnsNote } from '../grid/all-columns-note.js';
import { RecentExports } from './recent-exports.js';

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'ndjson', label: 'JSON lines' },
  { value: 'json', label: 'JSON array' },
  { value: 'parquet', label: 'Parquet' },
] as const;

interface ExportDialogProps {
  table: Dataset;
  view: View | undefined;
  q: string;
  order: string;
  /** The shown columns as `select` has them. */
  select: string;
  /** Whether the file has all columns, because too many were chosen. */
  isAllColumns: boolean;
  onClose: () => void;
}

export const downloadUrl = (id: string): string => apiUrl(`/exports/${encodeURIComponent(id)}/download`);

const isActive = ({ status }: ExportRequest): boolean => status === 'PENDING' || status === 'RUNNING';

/** Writes the rows of the page to a file, and downloads it when it is complete. */
export function ExportDialog({ table, view, q, order, select, isAllColumns, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]['value']>('csv');
  const [isComplete, setComplete] = useState(q === '');
  const create = useMutation({
    mutationFn: () => {
      const body: ExportsCreateBody = {
        format,
        ...(view ? { view: view.id } : { dataset: table.id }),
        ...(!isComplete && q !== '' && { q }),
        ...(order !== '' && { order }),
        ...(select !== '' && { select }),
      };
      return client.exports.create(body);
    },
  });
  return (
    <Dialog title="Export rows" description="The file has the rows of this moment." onClose={onClose}>
      {create.data ? (
        <Progress first={create.data} />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
        >
          <SelectField label="Format" value={format} options={FORMATS} onChange={setFormat} />
          {q !== '' && (
            <Checkbox label="All rows, not only those of the query" checked={isComplete} onChange={setComplete} />
          )}
          {isAllColumns && <AllColumnsNote subject="file" />}
          {create.error && <ErrorNote error={create.error} className="mt-0" />}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" icon="download" isPending={create.isPending}>
              Export
            </Button>
          </DialogActions>
        </form>
      )}
      <RecentExports table={table.id} except={create.data?.id} />
    </Dialog>
  );
}

function Progress({ first }: { first: ExportRequest }) {
  const followed = useQuery({
    queryKey: ['tables', 'export', first.id],
    queryFn: ({ signal }) => client.exports.get(first.id, { signal }),
    initialData: first,
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? 700 : false),
  });
  const { status, rows, size, error, fileName } = followed.data;
  const link = useRef<HTMLAnchorElement>(null);
  const isReady = status === 'COMPLETED';
  useEffect(() => {
    if (isReady) link.current?.click();
  }, [isReady]);
  if (status === 'FAILED')
    return (
      <p role="alert" className="wrap-text text-sm text-failed">
        The export failed. {error}
      </p>
    );
  return (
    <div role="status" className="text-sm">
      <p className="nums">
        {isReady ? 'The file is complete' : 'The file is being written'}: {formatCount(rows)} rows, {formatBytes(size)}.
      </p>
      {isReady ? (
        <a
          ref={link}
          href={downloadUrl(first.id)}
          download={fileName}
          className="link wrap-text mt-2 inline-block"
          dir="auto"
        >
          Download {fileName}
        </a>
      ) : (
        <progress aria-label="Export" className="mt-2 h-1.5 w-full accent-(--accent-9)" />
      )}
    </div>
  );
}
