import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Solution } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { useSpacesWithRole } from '../../../api/spaces.js';
import { Checkbox, SelectField, TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { readColumns } from '../query/read-order.js';
import { solutionsQuery } from './list-queries.js';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['tables'] });

/** Creates a table, in a chosen solution or in a new one. */
export function CreateTableDialog({ solution, onClose }: { solution?: string; onClose: () => void }) {
  const navigate = useNavigate();
  const all = useQuery(solutionsQuery(undefined));
  const spaces = useSpacesWithRole('write');
  const solutions = (all.data?.results ?? []).filter((one) => spaces.some(({ id }) => id === one.space));
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [key, setKey] = useState('');
  const [chosen, setChosen] = useState(solution);
  const target = chosen ?? solutions[0]?.id ?? '';
  const [space] = spaces;
  const create = useMutation({
    mutationFn: async () => {
      const parent =
        target === '' && space ? (await client.solutions.create({ name: name.trim(), space: space.id })).id : target;
      return client.datasets.create({
        name: name.trim(),
        solution: parent,
        primary_key: readColumns(key),
        ...(description.trim() !== '' && { description: description.trim() }),
      });
    },
    onSuccess: async (table) => {
      await refresh();
      onClose();
      await navigate({ to: '/tables/$tableId', params: { tableId: table.id } });
    },
  });
  return (
    <FormDialog
      title="New table"
      description="Its columns come from the first rows that a run or a file brings."
      action="Create the table"
      mutation={create}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
      <SelectField
        label="Solution"
        hint={
          solutions.length === 0
            ? 'You have no solution yet. One with the name of the table is created.'
            : 'A solution is a database: tables that belong together.'
        }
        value={target}
        options={
          solutions.length === 0
            ? [{ value: '', label: 'A new one' }]
            : solutions.map((one) => ({ value: one.id, label: one.name }))
        }
        onChange={setChosen}
      />
      <TextField
        label="Key columns"
        hint="Names of the columns that identify a row, separated by commas, such as host, port. A new row replaces the one with the same key. Without a key, all rows are added."
        value={key}
        onChange={setKey}
      />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} />
    </FormDialog>
  );
}

/** Creates a solution in a space. */
export function CreateSolutionDialog({ onClose }: { onClose: () => void }) {
  const spaces = useSpacesWithRole('write');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [space, setSpace] = useState<string>();
  const [isPublic, setPublic] = useState(false);
  const target = space ?? spaces[0]?.id ?? '';
  const create = useMutation({
    mutationFn: () =>
      client.solutions.create({
        name: name.trim(),
        space: target,
        is_public: isPublic,
        ...(description.trim() !== '' && { description: description.trim() }),
      }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      title="New solution"
      description="A solution is a database: it contains tables and views."
      action="Create the solution"
      mutation={create}
      isIncomplete={target === ''}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
      <SelectField
        label="Space"
        hint="Roles in the space apply to its tables."
        value={target}
        options={spaces.map((one) => ({ value: one.id, label: one.name }))}
        onChange={setSpace}
      />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} />
      <Checkbox label="Every member of the vault may query it" checked={isPublic} onChange={setPublic} />
    </FormDialog>
  );
}

export function EditSolutionDialog({ solution, onClose }: { solution: Solution; onClose: () => void }) {
  const [name, setName] = useState(solution.name);
  const [description, setDescription] = useState(solution.description ?? '');
  const [isPublic, setPublic] = useState(solution.is_public);
  const save = useMutation({
    mutationFn: () => client.solutions.update(solution.id, { name: name.trim(), description, is_public: isPublic }),
    onSuccess: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog title="Edit the solution" action="Save" mutation={save} onClose={onClose}>
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} />
      <Checkbox label="Every member of the vault may query it" checked={isPublic} onChange={setPublic} />
    </FormDialog>
  );
}
