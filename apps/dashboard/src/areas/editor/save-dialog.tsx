import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workflowQuery } from '../../api/workflow-query.js';
import { TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { notify } from '../../ui/toast.js';
import { describeChanges } from './conflict/describe-changes.js';
import { changesSince } from './session/changed-records.js';
import { useEditor, useValidation } from './session/editor-context.js';
import { saveVersion } from './session/save-version.js';

interface SaveDialogProps {
  onConflict: () => void;
  onClose: () => void;
}

/** Saves a version: Ctrl S and Enter save without a name. */
export function SaveDialog({ onConflict, onClose }: SaveDialogProps) {
  const { session, workflow } = useEditor();
  const { problems } = useValidation();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const changes = changesSince(session.base.get().document, session.document.get());
  const errors = problems.all.filter(({ isError }) => isError).length;
  const save = useMutation({
    mutationFn: () => saveVersion(session, workflow.id, name.trim()),
    onSuccess: (result) => {
      if (result.state === 'conflict') return onConflict();
      onClose();
      notify({ title: result.isNew ? `Saved version ${result.number}` : `Version ${result.number} has the same data` });
      void queryClient.invalidateQueries({ queryKey: ['editor', 'versions', workflow.id] });
      void queryClient.invalidateQueries(workflowQuery(workflow.id));
    },
  });
  return (
    <FormDialog
      title="Save a version"
      description={
        changes.length === 0
          ? 'Nothing was edited since the last version.'
          : `${describeChanges(changes)}. Versions never change, and you can return to each of them.`
      }
      action="Save"
      mutation={save}
      onClose={onClose}
    >
      <TextField
        label="Name of the version (optional)"
        value={name}
        onChange={setName}
        maxLength={500}
        autoFocus
        autoComplete="off"
        placeholder="What has changed"
      />
      {errors > 0 && (
        <p className="text-sm text-muted">
          The workflow has {errors === 1 ? 'an error' : `${errors} errors`}. A draft may miss values; other errors
          prevent saving.
        </p>
      )}
    </FormDialog>
  );
}
