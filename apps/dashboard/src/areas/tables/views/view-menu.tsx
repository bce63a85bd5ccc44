import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dataset, View } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { notify, notifyError } from '../../../ui/toast.js';
import { joinQueries } from '../query/write-query.js';
import type { TableSearch } from '../table/table-search.js';
import { foldersQuery } from './view-queries.js';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['tables'] });

/** What can be done with a view. */
export function ViewMenu({ view, table, search }: { view: View; table: Dataset; search: TableSearch }) {
  const navigate = useNavigate();
  const canEdit = useSpaceRole(table.space, 'write');
  const [dialog, setDialog] = useState<'edit' | 'folder' | 'delete'>();
  const close = () => setDialog(undefined);
  const isChanged = search.q !== undefined || search.order !== undefined || search.columns !== undefined;
  const update = useMutation({
    mutationFn: () =>
      client.views.update(view.solution, view.id, {
        ...(search.q && { q: joinQueries(view.q ?? '', search.q) }),
        ...(search.order && { order: search.order }),
        ...(search.columns && { select: search.columns }),
      }),
    onSuccess: async () => {
      await navigate({ to: '.', search: {}, replace: true });
      await refresh();
      notify({ title: 'View updated' });
    },
    onError: (error) => notifyError('The view was not updated', error),
  });
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label="Actions of the view" look="secondary" />}
        groups={[
          canEdit
            ? [
                {
                  label: 'Update to the present query, sort and columns',
                  icon: 'save',
                  isDisabled: !isChanged,
                  onSelect: () => update.mutate(),
                },
                { label: 'Rename', icon: 'pencil', onSelect: () => setDialog('edit') },
              ]
            : [],
          [{ label: 'Add to a folder', icon: 'folder', onSelect: () => setDialog('folder') }],
          canEdit ? [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') }] : [],
        ]}
      />
      {dialog === 'edit' && <EditViewDialog view={view} onClose={close} />}
      {dialog === 'folder' && <AddToFolderDialog view={view} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the view “${view.name}”?`}
          description="The rows of the table stay. Users who follow the view are no longer notified."
          action="Delete the view"
          onConfirm={async () => {
            await client.views.delete(view.solution, view.id);
            await navigate({ to: '/tables/$tableId', params: { tableId: table.id } });
            await refresh();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function EditViewDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const [name, setName] = useState(view.name);
  const [description, setDescription] = useState(view.description ?? '');
  const save = useMutation({
    mutationFn: () => client.views.update(view.solution, view.id, { name: name.trim(), description }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog title="Rename the view" action="Save" mutation={save} onClose={onClose}>
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} />
    </FormDialog>
  );
}

const NEW_FOLDER = 'new';

function AddToFolderDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const folders = useQuery(foldersQuery);
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const folder = chosen ?? folders.data?.results[0]?.id ?? NEW_FOLDER;
  const add = useMutation({
    mutationFn: async () => {
      const id = folder === NEW_FOLDER ? (await client.queryFolders.create({ name: name.trim() })).id : folder;
      await client.queryFolders.add(id, view.id);
    },
    onSuccess: async () => {
      await refresh();
      onClose();
      notify({ title: 'Added to the folder' });
    },
  });
  return (
    <FormDialog
      title="Add the view to a folder"
      description="A view can be in several folders. The page Tables lists them."
      action="Add"
      mutation={add}
      onClose={onClose}
    >
      <SelectField
        label="Folder"
        value={folder}
        options={[
          ...(folders.data?.results ?? []).map((one) => ({ value: one.id, label: one.name })),
          { value: NEW_FOLDER, label: 'New folder…' },
        ]}
        onChange={setChosen}
      />
      {folder === NEW_FOLDER && (
        <TextField label="Name of the folder" value={name} onChange={setName} maxLength={255} required />
      )}
    </FormDialog>
  );
}
