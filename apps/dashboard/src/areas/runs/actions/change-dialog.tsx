import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '@millrace/client';
import { client } from '../../../api/client.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { NumberField } from '../../../ui/number-field.js';
import { ParallelismField } from '../../../ui/run-input/parallelism-field.js';
import { runQuery } from '../run/run-query.js';

/** The limit of the API. */
const MAX_PRIORITY = 10;

/** Changes a run, also while it is under way. */
export function ChangeDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const [name, setName] = useState(run.name);
  const [parallelism, setParallelism] = useState<number | undefined>(run.parallelism);
  const [priority, setPriority] = useState<number | undefined>(run.priority);
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      client.runs.update(run.id, {
        ...(name.trim() !== run.name && { name: name.trim() }),
        ...(parallelism !== undefined && parallelism !== run.parallelism && { parallelism }),
        ...(priority !== run.priority && { priority: priority ?? 0 }),
      }),
    onSuccess: (changed) => {
      queryClient.setQueryData(runQuery(run.id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['runs', 'list'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`${run.finished ? 'Rename' : 'Change'} run #${run.id}`}
      description={run.finished ? undefined : 'A lower parallelism ends nothing that is running.'}
      action={run.finished ? 'Rename' : 'Change'}
      mutation={change}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" autoComplete="off" />
      {!run.finished && (
        <div className="grid grid-cols-2 gap-3">
          <ParallelismField value={parallelism} onChange={setParallelism} />
          <NumberField
            label="Priority"
            hint="A run with a higher one gets free slots first."
            placeholder="0"
            value={priority}
            min={-MAX_PRIORITY}
            max={MAX_PRIORITY}
            onChange={setPriority}
          />
        </div>
      )}
    </FormDialog>
  );
}
