import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ModuleWithNode } from '@millrace/client';
import { client } from '../../../api/client.js';
import { TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';

interface EditModuleDialogProps {
  module: ModuleWithNode;
  onClose: () => void;
}

export function EditModuleDialog({ module, onClose }: EditModuleDialogProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(module.name);
  const [description, setDescription] = useState(module.description ?? '');
  const update = useMutation({
    mutationFn: () => client.modules.update(module.id, { name: name.trim(), description }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Name and description"
      action="Save"
      mutation={update}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2_000} dir="auto" />
    </FormDialog>
  );
}
