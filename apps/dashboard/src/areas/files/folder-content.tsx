import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MillraceError } from '@millrace/client';
import { Button, buttonClass } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorNote } from '../../ui/error-note.js';
import { Skeleton } from '../../ui/skeleton.js';
import type { StorageEntry } from './describe-deletion.js';
import { EntryTable } from './entry-table.js';
import { filesQuery, foldersQuery } from './queries.js';
import type { FilesSearch, FilesSort } from './search.js';

interface FolderContentProps {
  search: FilesSearch;
  onSort: (sort: FilesSort) => void;
  onDelete: (targets: readonly StorageEntry[]) => void;
}

/** The folders and files of a folder, or those that a search finds in it. */
export function FolderContent({
  search: { folder = '', q = '', sort = 'path', file },
  onSort,
  onDelete,
}: FolderContentProps) {
  const folders = useInfiniteQuery(foldersQuery(folder, q, sort === '-path'));
  const files = useInfiniteQuery(filesQuery(folder, q, sort));
  const error = folders.error ?? files.error;
  if (error instanceof MillraceError && error.code === 'not_found') return <UnknownFolder folder={folder} />;
  if (error && !folders.data)
    return <ErrorNote error={error} onRetry={() => void folders.refetch()} className="mx-6 max-sm:mx-4" />;
  if (!folders.data || !files.data) return <Skeleton className="px-6" />;
  const listedFolders = folders.data.pages.flatMap(({ results }) => results);
  // More folders may precede the first file.
  const listedFiles = folders.hasNextPage ? [] : files.data.pages.flatMap(({ results }) => results);
  const more = folders.hasNextPage ? folders : files.hasNextPage ? files : undefined;
  if (listedFolders.length + listedFiles.length === 0 && !more) return <NothingHere folder={folder} q={q} />;
  return (
    <div className="px-6 py-4 max-sm:px-4">
      <EntryTable
        // Another list has other entries to select.
        key={`${folder} ${q}`}
        {...{ folder, sort, onSort, onDelete }}
        folders={listedFolders}
        files={listedFiles}
        openFile={file}
      />
      {error && <ErrorNote error={error} onRetry={() => void files.refetch()} />}
      {more && (
        <div className="pt-3">
          <Button isPending={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

const UnknownFolder = ({ folder }: { folder: string }) => (
  <EmptyState
    icon="folder"
    title="This folder does not exist"
    actions={
      <Link to="/files" className={buttonClass()}>
        Go to all files
      </Link>
    }
  >
    <p className="wrap-text">
      The storage has no folder “{folder}”. Somebody may have deleted it. Files that you drop here create it again.
    </p>
  </EmptyState>
);

const NothingHere = ({ folder, q }: { folder: string; q: string }) =>
  q !== '' ? (
    <EmptyState icon="search" title="Nothing found">
      <p className="wrap-text">No name contains “{q}”.</p>
    </EmptyState>
  ) : (
    <EmptyState icon="upload" title={folder === '' ? 'No files yet' : 'This folder is empty'}>
      <p>
        Drop files and whole folders here, or use Upload. Workflows take them as inputs: a list of hosts, a wordlist, a
        configuration.
      </p>
    </EmptyState>
  );
