import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Column, Dataset } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { TypeMark } from '../grid/grid-header.js';
import { COLUMN_TYPES, MAINTAINED } from './column-texts.js';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['tables'] });

/** The columns of a table, to rename them, to change their types, and to delete them. */
export function ColumnsTab({ table }: { table: Dataset }) {
  const canEdit = useSpaceRole(table.space, 'write');
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'delete'; column: Column }>();
  const columns = table.columns ?? [];
  const close = () => setDialog(undefined);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4 max-sm:px-4">
      {columns.every(({ system }) => system) && (
        <EmptyState icon="columns" title="No columns yet">
          The columns come from the first rows that a run or a file brings.
        </EmptyState>
      )}
      <Table
        label="Columns"
        head={
          <>
            <th scope="col" className={HEAD_CELL}>
              Name
            </th>
            <th scope="col" className={HEAD_CELL}>
              Type
            </th>
            <th scope="col" className={HEAD_CELL}>
              Meaning
            </th>
            <th scope="col" className={HEAD_CELL}>
              <span className="sr-only">Actions</span>
            </th>
          </>
        }
      >
        {columns.map((column) => (
          <tr key={column.name} className="hover:bg-hover">
            <td className={`${CELL} max-w-96`}>
              <span
                dir="auto"
                title={column.name}
                className={`block truncate ${column.system ? 'text-muted' : 'font-medium'}`}
              >
                {column.name}
              </span>
            </td>
            <td className={CELL}>
              <span className="flex items-center gap-1.5">
                <TypeMark type={column.type} />
                {column.type}
              </span>
            </td>
            <td className={`${CELL} w-1/2 text-muted`}>
              {column.system ? MAINTAINED[column.name] : column.primary_key ? 'Part of the key' : ''}
            </td>
            <td className={`${CELL} text-right`}>
              {canEdit && !column.system && (
                <Menu
                  trigger={<IconButton icon="more" label={`Actions of ${column.name}`} />}
                  groups={[
                    [
                      {
                        label: 'Rename or change the type',
                        icon: 'pencil',
                        onSelect: () => setDialog({ kind: 'edit', column }),
                      },
                    ],
                    [
                      {
                        label: column.primary_key ? 'Delete (not possible for the key)' : 'Delete',
                        icon: 'trash',
                        isDangerous: true,
                        isDisabled: column.primary_key,
                        onSelect: () => setDialog({ kind: 'delete', column }),
                      },
                    ],
                  ]}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
      {dialog?.kind === 'edit' && <EditColumnDialog table={table} column={dialog.column} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete the column “${dialog.column.name}”?`}
          description="Its values are deleted in all rows. This cannot be undone. Views that use it must be changed."
          action="Delete the column"
          typedName={dialog.column.name}
          onConfirm={async () => {
            await client.columns.delete(table.id, dialog.column.name);
            await refresh();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function EditColumnDialog({ table, column, onClose }: { table: Dataset; column: Column; onClose: () => void }) {
  const [name, setName] = useState(column.name);
  const [type, setType] = useState(column.type);
  const save = useMutation({
    mutationFn: () =>
      client.columns.update(table.id, column.name, {
        ...(name !== column.name && { name }),
        ...(type !== column.type && { type }),
      }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      title="Edit the column"
      description="Views and runs that use the old name must be changed as well: rows with the old name add a column of that name."
      action="Save"
      mutation={save}
      isIncomplete={name === column.name && type === column.type}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={1000} required autoFocus />
      <SelectField
        label="Type"
        hint="All values must fit. Otherwise nothing changes, and you see some values that do not."
        value={type}
        options={COLUMN_TYPES.map((value) => ({ value, label: value }))}
        onChange={setType}
      />
    </FormDialog>
  );
}
