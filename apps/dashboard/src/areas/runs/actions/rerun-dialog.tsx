import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Checkbox } from '../../../ui/field.js';
import { ParallelismField } from '../../../ui/run-input/parallelism-field.js';
import { RunInputField } from '../../../ui/run-input/run-input-field.js';
import { changedInputs, editableInputs } from './rerun-inputs.js';

/** Starts a new run with the same version and inputs, some of them changed. */
export function RerunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const fields = editableInputs(run.inputs);
  const [values, setValues] = useState<Record<string, string | boolean>>({});
  const [parallelism, setParallelism] = useState<number>();
  const [reuses, setReuses] = useState(true);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: () => {
      const inputs = changedInputs(fields, values);
      return client.workflows.run(run.workflow_info, {
        version_id: run.workflow_version_info,
        inputs: reuses ? inputs : { ...run.inputs?.given, ...inputs },
        ...(reuses && { reuse_run: run.id }),
        ...(parallelism !== undefined && { parallelism }),
        ...(run.part && { part: run.part }),
      });
    },
    onSuccess: async (next) => {
      onClose();
      void queryClient.invalidateQueries({ queryKey: ['runs', 'list'] });
      await navigate({ to: '/runs/$runId', params: { runId: next.id } });
    },
  });
  const isIncomplete = fields.some(({ id, isMasked }) => isMasked && (values[id] ?? '') === '');
  return (
    <Dialog
      title={`Run “${run.workflow_name}” again`}
      description="A new run of the same version. This run stays as it is."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!start.isPending && !isIncomplete) start.mutate();
        }}
      >
        {fields.map((field) => (
          <RunInputField
            key={field.id}
            input={{ name: field.label, type: field.type, isRequired: field.isMasked }}
            hint={field.isMasked ? 'It contained a secret, which is not shown. Enter it again.' : undefined}
            value={values[field.id] ?? field.value}
            onChange={(value) => setValues((old) => ({ ...old, [field.id]: value }))}
          />
        ))}
        <ParallelismField placeholder="As many as possible" value={parallelism} onChange={setParallelism} />
        <Checkbox
          label="Reuse the results of this run whose program and inputs are the same"
          checked={reuses}
          onChange={setReuses}
        />
        {start.error && <ErrorNote error={start.error} className="mt-0" />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" icon="play" isPending={start.isPending} disabled={isIncomplete}>
            Run
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
