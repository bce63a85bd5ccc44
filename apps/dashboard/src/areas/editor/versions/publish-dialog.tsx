import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workflow } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Checkbox, TextAreaField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { notify } from '../../../ui/toast.js';

interface PublishDialogProps {
  workflow: Workflow;
  /** Id of the version. */
  version: string;
  onClose: () => void;
}

/** Publishes a version to the library: as a workflow to copy, and optionally as a module for other workflows. */
export function PublishDialog({ workflow, version, onClose }: PublishDialogProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? '');
  const [isModule, setModule] = useState(false);
  const publish = useMutation({
    mutationFn: async () => {
      const snapshot = await client.snapshots.create(workflow.id, {
        workflow_version_info: version,
        name: name.trim(),
        ...(description.trim() !== '' && { description: description.trim() }),
      });
      if (isModule)
        await client.modules.create({
          name: name.trim(),
          type: 'MODULE',
          snapshot: snapshot.id,
          ...(description.trim() !== '' && { description: description.trim() }),
        });
    },
    onSuccess: () => {
      onClose();
      notify({ title: `Published “${name.trim()}” to the library` });
      void queryClient.invalidateQueries({ queryKey: ['editor', 'versions', workflow.id] });
      void queryClient.invalidateQueries({ queryKey: ['editor', 'library'] });
    },
  });
  return (
    <FormDialog
      title="Publish to the library"
      description="Every member of the vault can copy what is published. Later versions do not change it."
      action="Publish"
      mutation={publish}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" />
      <TextAreaField label="Description" value={description} onChange={setDescription} maxLength={2_000} dir="auto" />
      <Checkbox
        label="Also as a module that other workflows can use as one node"
        checked={isModule}
        onChange={setModule}
      />
    </FormDialog>
  );
}
