import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workflow } from '@millrace/client';
import { client } from '../../../api/client.js';
import { TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';

export function DetailsDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? '');
  const save = useMutation({
    mutationFn: () =>
      client.workflows.update(workflow.id, {
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      onClose();
    },
  });
  return (
    <FormDialog title="Name and description" action="Save" mutation={save} onClose={onClose}>
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2000} dir="auto" />
    </FormDialog>
  );
}
