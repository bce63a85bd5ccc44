import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { useOpenWorkflow } from '../use-open-workflow.js';
import { SpaceChoiceFields } from './space-choice-fields.js';
import { useSpaceChoice } from './use-space-choice.js';

interface NewWorkflowDialogProps {
  space?: string;
  project?: string;
  onClose: () => void;
}

export function NewWorkflowDialog({ space, project, onClose }: NewWorkflowDialogProps) {
  const queryClient = useQueryClient();
  const openWorkflow = useOpenWorkflow();
  const choice = useSpaceChoice({ space, project });
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const create = useMutation({
    mutationFn: () =>
      client.workflows.create(choice.space ?? '', {
        name: name.trim(),
        ...(description.trim() !== '' && { description: description.trim() }),
        ...(choice.project !== '' && { project_info: choice.project }),
      }),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      openWorkflow(id);
    },
  });
  return (
    <FormDialog
      title="New workflow"
      action="Create"
      mutation={create}
      isIncomplete={choice.space === undefined}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <TextAreaField
        label="Description"
        value={description}
        onChange={setDescription}
        maxLength={2000}
        dir="auto"
        rows={2}
      />
      <SpaceChoiceFields choice={choice} />
    </FormDialog>
  );
}
