import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { QueryFolder, View } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { countOf } from '../../../text/format-count.js';
import { Button, IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { Icon } from '../../../ui/icon.js';
import { Menu } from '../../../ui/menu.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { notifyError } from '../../../ui/toast.js';
import { foldersQuery, folderViewsQuery } from './view-queries.js';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['tables', 'folders'] });

/** Folders of the vault and its spaces, with the views in them. */
export function FoldersTab() {
  const folders = useQuery(foldersQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button icon="plus" onClick={() => setCreating(true)}>
      New folder
    </Button>
  );
  return (
    <>
      {folders.error && <ErrorNote error={folders.error} onRetry={() => void folders.refetch()} />}
      {folders.isPending && <Skeleton />}
      {folders.data?.count === 0 && (
        <EmptyState icon="folder" title="No folders yet" actions={create}>
          Save the query of a table as a view, and collect views that belong together in a folder.
        </EmptyState>
      )}
      {folders.data && folders.data.count > 0 && (
        <>
          {create}
          <ul className="mt-3 divide-y divide-line rounded-md border border-line bg-raised" aria-label="Folders">
            {folders.data.results.map((folder) => (
              <Folder key={folder.id} folder={folder} />
            ))}
          </ul>
        </>
      )}
      {isCreating && <FolderDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Folder({ folder }: { folder: QueryFolder }) {
  const [isOpen, setOpen] = useState(folder.queryCount > 0);
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const views = useQuery({ ...folderViewsQuery(folder.id), enabled: isOpen });
  return (
    <li>
      <div className="flex h-9 items-center gap-1 pr-1 hover:bg-hover">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-full min-w-0 flex-1 items-center gap-2 pl-3 text-left text-sm"
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} className="text-muted" />
          <Icon name={isOpen ? 'folderOpen' : 'folder'} className="text-muted" />
          <span dir="auto" title={folder.name} className="min-w-0 truncate font-medium">
            {folder.name}
          </span>
          <span className="nums shrink-0 text-xs text-muted">{countOf(folder.queryCount, 'view')}</span>
        </button>
        <Menu
          trigger={<IconButton icon="more" label={`Actions of ${folder.name}`} />}
          groups={[
            [{ label: 'Rename', icon: 'pencil', onSelect: () => setDialog('rename') }],
            [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') }],
          ]}
        />
      </div>
      {isOpen && views.error && <ErrorNote error={views.error} className="m-3" />}
      {isOpen && views.data && (
        <ul aria-label={`Views in ${folder.name}`}>
          {views.data.results.map((view) => (
            <ViewLine key={view.id} folder={folder} view={view} />
          ))}
          {views.data.count === 0 && <li className="px-11 py-2 text-sm text-muted">This folder is empty.</li>}
        </ul>
      )}
      {dialog === 'rename' && <FolderDialog folder={folder} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the folder “${folder.name}”?`}
          description="Its views stay."
          action="Delete the folder"
          onConfirm={async () => {
            await client.queryFolders.delete(folder.id);
            await refresh();
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </li>
  );
}

function ViewLine({ folder, view }: { folder: QueryFolder; view: View }) {
  const remove = useMutation({
    mutationFn: () => client.queryFolders.remove(folder.id, view.id),
    onSuccess: refresh,
    onError: (error) => notifyError('The view was not removed', error),
  });
  return (
    <li className="flex h-9 items-center gap-2 border-t border-line pr-1 pl-11 hover:bg-hover">
      <Icon name="filter" className="text-muted" />
      <Link
        to="/solutions/$solutionId/views/$viewId"
        params={{ solutionId: view.solution, viewId: view.id }}
        dir="auto"
        title={view.name}
        className="min-w-0 truncate text-sm hover:underline"
      >
        {view.name}
      </Link>
      <code className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{view.q}</code>
      <IconButton icon="x" label={`Remove ${view.name} from the folder`} onClick={() => remove.mutate()} />
    </li>
  );
}

function FolderDialog({ folder, onClose }: { folder?: QueryFolder; onClose: () => void }) {
  const [name, setName] = useState(folder?.name ?? '');
  const save = useMutation({
    mutationFn: () =>
      folder
        ? client.queryFolders.update(folder.id, { name: name.trim() })
        : client.queryFolders.create({ name: name.trim() }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog title={folder ? 'Rename the folder' : 'New folder'} action="Save" mutation={save} onClose={onClose}>
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
    </FormDialog>
  );
}
