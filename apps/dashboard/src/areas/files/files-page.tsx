import { Link } from '@tanstack/react-router';
import { Fragment, useCallback, useState } from 'react';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
import { Page } from '../../ui/page.js';
import { SearchInput } from '../../ui/search-input.js';
import { DeleteDialog } from './delete-dialog.js';
import type { StorageEntry } from './describe-deletion.js';
import { FilePanel } from './file-panel.js';
import { FolderContent } from './folder-content.js';
import { listSteps } from './folder-path.js';
import { NewFolderDialog } from './new-folder-dialog.js';
import { filesRoute } from './routes.js';
import type { FilesSearch } from './search.js';
import { StorageUsage } from './storage-usage.js';
import { DropZone } from './upload/drop-zone.js';
import { UploadButton } from './upload/upload-button.js';
import { UploadPanel } from './upload/upload-panel.js';
import { useUpload } from './upload/use-upload.js';

/** The storage: folders, files, uploads. */
export function FilesPage() {
  const search = filesRoute.useSearch();
  const navigate = filesRoute.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [toDelete, setToDelete] = useState<readonly StorageEntry[]>();
  const { folder = '', q = '', file, view } = search;
  const { upload, dialog } = useUpload(folder);
  useShortcuts([{ keys: 'n', label: 'New folder', run: () => setCreating(true) }]);
  const change = useCallback(
    (part: Partial<Record<keyof FilesSearch, string | undefined>>, replace = false) =>
      void navigate({ search: (current) => ({ ...current, ...part }) as FilesSearch, replace }),
    [navigate],
  );
  const steps = listSteps(folder);
  return (
    <Page
      isFull
      title={steps.at(-1)?.name ?? 'Files'}
      breadcrumb={folder !== '' && <FolderSteps folder={folder} />}
      aside={<StorageUsage />}
      actions={
        <>
          <SearchInput
            label={folder === '' ? 'Search all files' : 'Search in this folder'}
            value={q}
            onChange={useCallback((text: string) => change({ q: text }, true), [change])}
            className="w-56"
          />
          <Button icon="folderPlus" onClick={() => setCreating(true)}>
            New folder
          </Button>
          <UploadButton onChoose={upload} />
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <DropZone label={folder === '' ? 'Upload' : `Upload to ${folder}`} onDrop={upload}>
          <div className="min-h-0 flex-1 overflow-y-auto">
            <FolderContent search={search} onSort={(sort) => change({ sort })} onDelete={setToDelete} />
          </div>
          <UploadPanel />
        </DropZone>
        {file !== undefined && (
          <FilePanel
            key={file}
            id={file}
            view={view}
            onViewChange={(value) => change({ view: value }, true)}
            onDelete={(target) => setToDelete([{ kind: 'file', entry: target }])}
            onClose={() => change({ file: undefined, view: undefined })}
          />
        )}
      </div>
      {isCreating && (
        <NewFolderDialog
          parent={folder}
          onCreate={(path) => {
            setCreating(false);
            change({ folder: path, q: undefined, file: undefined });
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {toDelete && (
        <DeleteDialog
          targets={toDelete}
          onDelete={({ kind, entry }) => kind === 'file' && entry.id === file && change({ file: undefined })}
          onClose={() => setToDelete(undefined)}
        />
      )}
      {dialog}
    </Page>
  );
}

/** The way from the top to the folder. */
const FolderSteps = ({ folder }: { folder: string }) => (
  <>
    <Link to="/files" className="hover:text-ink hover:underline">
      Files
    </Link>
    {listSteps(folder)
      .slice(0, -1)
      .map(({ name, path }) => (
        <Fragment key={path}>
          <Icon name="chevronRight" size={12} />
          <Link
            to="/files"
            search={{ folder: path }}
            dir="auto"
            className="max-w-60 truncate hover:text-ink hover:underline"
          >
            {name}
          </Link>
        </Fragment>
      ))}
  </>
);
