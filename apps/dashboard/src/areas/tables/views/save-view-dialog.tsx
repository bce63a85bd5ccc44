import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dataset } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { SelectField, TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { notify } from '../../../ui/toast.js';
import { AllColumnsNote } from '../grid/all-columns-note.js';
import { foldersQuery } from './view-queries.js';

/** What a view stores of a page. */
export interface ViewContent {
  q: string;
  order: string;
  select: string;
}

const NEW_FOLDER = 'new';

/** Saves what the page shows as a view, and opens it. */
export function SaveViewDialog({
  table,
  content,
  isAllColumns,
  onClose,
}: {
  table: Dataset;
  content: ViewContent;
  /** Whether the view has all columns, because too many were chosen. */
  isAllColumns: boolean;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const folders = useQuery(foldersQuery);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [folder, setFolder] = useState('');
  const [folderName, setFolderName] = useState('');
  const save = useMutation({
    mutationFn: async () => {
      const view = await client.views.create(table.solution, {
        name: name.trim(),
        dataset: table.id,
        ...Object.fromEntries(Object.entries(content).filter(([, text]) => text !== '')),
        ...(description.trim() !== '' && { description: description.trim() }),
      });
      const into = folder === NEW_FOLDER ? (await client.queryFolders.create({ name: folderName.trim() })).id : folder;
      if (into !== '') await client.queryFolders.add(into, view.id);
      return view;
    },
    onSuccess: async (view) => {
      await queryClient.invalidateQueries({ queryKey: ['tables'] });
      onClose();
      notify({ title: 'View saved' });
      await navigate({
        to: '/solutions/$solutionId/views/$viewId',
        params: { solutionId: view.solution, viewId: view.id },
      });
    },
  });
  return (
    <FormDialog
      title="Save as a view"
      description="A view keeps the query, the sort and the columns under a name. Everybody who may query the table can open it."
      action="Save the view"
      mutation={save}
      onClose={onClose}
    >
      {isAllColumns && <AllColumnsNote subject="view" />}
      <TextField label="Name" value={name} onChange={setName} maxLength={255} required autoFocus />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} rows={2} />
      <SelectField
        label="Folder"
        value={folder}
        options={[
          { value: '', label: 'None' },
          ...(folders.data?.results ?? []).map((one) => ({ value: one.id, label: one.name })),
          { value: NEW_FOLDER, label: 'New folder…' },
        ]}
        onChange={setFolder}
      />
      {folder === NEW_FOLDER && (
        <TextField label="Name of the folder" value={folderName} onChange={setFolderName} maxLength={255} required />
      )}
    </FormDialog>
  );
}
