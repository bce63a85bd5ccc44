import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../../api/client.js';
import { formatBytes } from '../../text/format-bytes.js';
import { ErrorNote } from '../error-note.js';
import { INPUT_CLASS } from '../field.js';
import { Icon } from '../icon.js';

const MAX_LISTED = 50;

interface StoragePickerProps {
  isFolder: boolean;
  onPick: (path: string) => void;
}

/** The newest files or folders of the storage, with search. */
export function StoragePicker({ isFolder, onPick }: StoragePickerProps) {
  const [search, setSearch] = useState('');
  const words = useDeferredValue(search.trim());
  const { data, error, refetch } = useQuery({
    queryKey: ['storage-picker', isFolder, words],
    queryFn: async ({ signal }) => {
      const query = { page_size: MAX_LISTED, ...(words !== '' && { search: words }) };
      if (isFolder) {
        const { results } = await client.folders.list(query, { signal });
        return results.map(({ path }) => ({ path, detail: '' }));
      }
      const { results } = await client.files.list({ ...query, ordering: '-created_date' }, { signal });
      return results.map(({ path, size }) => ({ path, detail: formatBytes(size) }));
    },
    placeholderData: keepPreviousData,
  });
  return (
    <div className="rounded-md border border-line p-2">
      <input
        type="search"
        aria-label={isFolder ? 'Search folders' : 'Search files'}
        placeholder={isFolder ? 'Search folders' : 'Search files'}
        value={search}
        autoFocus
        onChange={(event) => setSearch(event.target.value)}
        className={INPUT_CLASS}
      />
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      <ul className="mt-1.5 max-h-44 overflow-y-auto">
        {data?.map(({ path, detail }) => (
          <li key={path}>
            <button
              type="button"
              onClick={() => onPick(path)}
              className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover"
            >
              <Icon name={isFolder ? 'folder' : 'file'} className="text-muted" />
              <span dir="auto" className="min-w-0 flex-1 truncate" title={path}>
                {path}
              </span>
              <span className="nums text-xs text-muted">{detail}</span>
            </button>
          </li>
        ))}
      </ul>
      {data?.length === 0 && (
        <p className="px-2 py-1.5 text-sm text-muted">
          {words === '' ? 'The storage is empty. Upload a file first.' : `Nothing has “${words}” in its name.`}
        </p>
      )}
    </div>
  );
}
