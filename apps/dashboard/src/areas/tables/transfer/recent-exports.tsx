import { useMutation, useQuery } from '@tanstack/react-query';
import { apiUrl, client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { IconButton } from '../../../ui/button.js';
import { Icon } from '../../../ui/icon.js';
import { Time } from '../../../ui/time.js';
import { notifyError } from '../../../ui/toast.js';

/** Files that were exported from the table and can still be downloaded. */
export function RecentExports({ table, except }: { table: string; except: string | undefined }) {
  const queryKey = ['tables', 'exports', table];
  const exports = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      await client.exports.list(
        { dataset: table, status: 'COMPLETED', ordering: '-createdAt', page_size: 5 },
        { signal },
      ),
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.exports.delete(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
    onError: (error) => notifyError('The file was not deleted', error),
  });
  const shown = exports.data?.results.filter(({ id }) => id !== except) ?? [];
  if (shown.length === 0) return null;
  return (
    <section className="mt-5 border-t border-line pt-3" aria-label="Earlier exports">
      <h3>Earlier exports</h3>
      <ul className="mt-1">
        {shown.map(({ id, fileName, size, createdAt }) => (
          <li key={id} className="flex h-8 items-center gap-2 text-sm">
            <Icon name="file" className="text-muted" />
            <a
              href={apiUrl(`/exports/${encodeURIComponent(id)}/download`)}
              download={fileName}
              dir="auto"
              title={fileName}
              className="link min-w-0 flex-1 truncate"
            >
              {fileName}
            </a>
            <span className="nums text-xs text-muted">{formatBytes(size)}</span>
            <Time value={createdAt} className="text-xs text-muted" />
            <IconButton icon="trash" label={`Delete ${fileName}`} onClick={() => remove.mutate(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
