import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dataset } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { countOf } from '../../../text/format-count.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { readColumns } from '../query/read-order.js';
import { writeColumns } from '../query/write-query.js';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['tables'] });

/** What users with the role `write` can do with a table. */
export function TableMenu({ table }: { table: Dataset }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'clear' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" label="Actions of the table" look="secondary" />}
        groups={[
          [{ label: 'Edit', icon: 'pencil', onSelect: () => setDialog('edit') }],
          [
            { label: 'Delete all rows', icon: 'x', isDangerous: true, onSelect: () => setDialog('clear') },
            { label: 'Delete the table', icon: 'trash', isDangerous: true, onSelect: () => setDialog('delete') },
          ],
        ]}
      />
      {dialog === 'edit' && <EditTableDialog table={table} onClose={close} />}
      {dialog === 'clear' && (
        <ConfirmDialog
          title={`Delete all rows of “${table.name}”?`}
          description={`${countOf(table.row_count, 'row')} and the history of changes are deleted. The columns stay. This cannot be undone.`}
          action="Delete all rows"
          typedName={table.name}
          onConfirm={async () => {
            await client.datasets.clear(table.id);
            await refresh();
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the table “${table.name}”?`}
          description={`${countOf(table.row_count, 'row')}, the views of the table and its bindings to workflows are deleted. This cannot be undone.`}
          action="Delete the table"
          typedName={table.name}
          onConfirm={async () => {
            await client.datasets.delete(table.id);
            await navigate({ to: '/tables' });
            await refresh();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function EditTableDialog({ table, onClose }: { table: Dataset; onClose: () => void }) {
  const [name, setName] = useState(table.name);
  const [description, setDescription] = useState(table.description ?? '');
  const former = writeColumns(table.primary_key);
  const [key, setKey] = useState(former);
  const isEmpty = table.row_count === 0;
  const save = useMutation({
    mutationFn: () =>
      client.datasets.update(table.id, {
        name: name.trim(),
        description,
        ...(isEmpty && key !== former && { primary_key: readColumns(key) }),
      }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog title="Edit the table" action="Save" mutation={save} onClose={onClose}>
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} />
      <TextField
        label="Key columns"
        hint={isEmpty ? 'Separated by commas.' : 'The key can change only while the table is empty.'}
        value={key}
        onChange={setKey}
        disabled={!isEmpty}
      />
    </FormDialog>
  );
}
