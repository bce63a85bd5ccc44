import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workflow } from '@millrace/client';
import { client } from '../../../api/client.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { notify } from '../../../ui/toast.js';
import { SpaceChoiceFields } from './space-choice-fields.js';
import { useSpaceChoice } from './use-space-choice.js';

interface PlaceDialogProps {
  workflow: Workflow;
  action: 'copy' | 'move';
  onClose: () => void;
}

/** Copies or moves a workflow to a space and a project. */
export function PlaceDialog({ workflow, action, onClose }: PlaceDialogProps) {
  const queryClient = useQueryClient();
  const choice = useSpaceChoice({ space: workflow.space_info, project: workflow.project_info });
  const [name, setName] = useState(`${workflow.name} (copy)`.slice(0, 255));
  const isCopy = action === 'copy';
  const place = useMutation({
    mutationFn: () => {
      const target = { space: choice.space ?? workflow.space_info };
      const project = choice.project === '' ? undefined : choice.project;
      if (!isCopy) return client.workflows.move(workflow.id, { ...target, project: project ?? null });
      return client.workflows.copy(workflow.id, {
        ...target,
        name: name.trim(),
        ...(project !== undefined && { project }),
      });
    },
    onSuccess: async ({ name: placed }) => {
      await queryClient.invalidateQueries({ queryKey: ['workflows'] });
      notify({ title: isCopy ? 'Workflow copied' : 'Workflow moved', description: placed });
      onClose();
    },
  });
  return (
    <FormDialog
      title={isCopy ? `Copy “${workflow.name}”` : `Move “${workflow.name}”`}
      description={isCopy ? 'The copy begins with the latest version.' : 'Its versions and runs move with it.'}
      action={isCopy ? 'Copy' : 'Move'}
      mutation={place}
      onClose={onClose}
    >
      {isCopy && (
        <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      )}
      <SpaceChoiceFields choice={choice} />
    </FormDialog>
  );
}
