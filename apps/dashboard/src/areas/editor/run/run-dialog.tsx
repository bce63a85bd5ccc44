import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { useStore } from '../../../store/create-store.js';
import { Button } from '../../../ui/button.js';
import { Copyable } from '../../../ui/copyable.js';
import { Dialog, DialogActions } from '../../../ui/dialog.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { ParallelismField } from '../../../ui/run-input/parallelism-field.js';
import { RunInputField } from '../../../ui/run-input/run-input-field.js';
import { changesSince } from '../session/changed-records.js';
import { useEditor, useValidation } from '../session/editor-context.js';
import { saveVersion } from '../session/save-version.js';
import { withMembers } from '../session/selected-nodes.js';
import { listRunInputs, missingInputs, type RunChoices, toCommand, toRequest, toRunBody } from './run-request.js';

interface RunDialogProps {
  /** Whether it starts with the part up to the selected nodes. */
  isPart: boolean;
  onConflict: () => void;
  onClose: () => void;
}

/** Starts a run of what is on the canvas: edits are saved as a version first. */
export function RunDialog({ isPart, onConflict, onClose }: RunDialogProps) {
  const { session, workflow, canEdit } = useEditor();
  const navigate = useNavigate();
  const document = useStore(session.document);
  const base = useStore(session.base);
  const { problems } = useValidation();
  const inputs = listRunInputs(document);
  const selected = [...withMembers(session)].filter((id) => Object.hasOwn(document.nodes, id));
  const [values, setValues] = useState<RunChoices['values']>(() =>
    Object.fromEntries(inputs.flatMap(({ id, fallback }) => (fallback === undefined ? [] : [[id, fallback]]))),
  );
  const [name, setName] = useState('');
  const [parallelism, setParallelism] = useState<number>();
  const [cache, setCache] = useState<RunChoices['cache']>('node');
  const [part, setPart] = useState<'all' | 'until'>(isPart && selected.length > 0 ? 'until' : 'all');
  const until = part === 'until' ? selected : [];
  const body = toRunBody(inputs, { values, name, parallelism, cache, until });
  const missing = missingInputs(inputs, values);
  const isEdited = changesSince(base.document, document).length > 0 || base.versionId === undefined;
  const errors = problems.all.filter(({ isError }) => isError).length;
  const run = useMutation({
    mutationFn: async () => {
      if (isEdited && canEdit) {
        const saved = await saveVersion(session, workflow.id);
        if (saved.state === 'conflict') return undefined;
      }
      const version = session.base.get().versionId;
      return client.workflows.run(workflow.id, { ...body, ...(version !== undefined && { version_id: version }) });
    },
    onSuccess: (started) => {
      if (!started) return onConflict();
      onClose();
      void navigate({ to: '/runs/$runId', params: { runId: started.id } });
    },
  });
  return (
    <Dialog
      title={`Run ${workflow.name}`}
      description={isEdited && canEdit ? 'Your edits are saved as a version first.' : undefined}
      onClose={onClose}
      width={640}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing.length === 0 && !run.isPending) run.mutate();
        }}
      >
        {inputs.map((input) => (
          <RunInputField
            key={input.id}
            input={input}
            value={values[input.id]}
            onChange={(value) => setValues((old) => ({ ...old, [input.id]: value }))}
          />
        ))}
        {inputs.length === 0 && <p className="text-sm text-muted">This workflow has no inputs.</p>}
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label="Part"
            value={part}
            options={[
              { value: 'all', label: 'The whole workflow' },
              ...(selected.length > 0
                ? [
                    {
                      value: 'until' as const,
                      label: `Up to ${selected.length === 1 ? (selected[0] ?? '') : `${selected.length} nodes`}`,
                    },
                  ]
                : []),
            ]}
            onChange={setPart}
            hint={selected.length === 0 ? 'Select a node to run only up to it.' : undefined}
          />
          <ParallelismField placeholder="As many as possible" value={parallelism} onChange={setParallelism} />
          <SelectField
            label="Earlier results"
            value={cache}
            options={[
              { value: 'node', label: 'As each node says' },
              { value: 'always', label: 'Reuse all' },
              { value: 'never', label: 'Reuse none' },
            ]}
            onChange={setCache}
          />
          <TextField
            label="Name of the run"
            placeholder={workflow.name}
            value={name}
            onChange={setName}
            maxLength={255}
            dir="auto"
          />
        </div>
        <details className="rounded-md border border-line px-3 py-2">
          <summary className="text-sm font-medium">The same from a terminal or a program</summary>
          <div className="mt-2 flex flex-col gap-2">
            <Copyable text={toCommand(workflow.id, body)} label="Copy the command" />
            <Copyable text={toRequest(location.origin, workflow.id, body)} label="Copy the request" />
          </div>
        </details>
        {errors > 0 && (
          <p className="text-sm text-failed">
            The workflow has {errors === 1 ? 'an error' : `${errors} errors`}, so a run will not start.
          </p>
        )}
        {run.error && <ErrorNote error={run.error} className="mt-0" />}
        <DialogActions>
          <p className="flex-1 self-center text-sm text-muted">
            {missing.length > 0 && `Set ${missing.map((input) => input.name).join(', ')}.`}
          </p>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" icon="play" disabled={missing.length > 0} isPending={run.isPending}>
            {isEdited && canEdit ? 'Save and run' : 'Run'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
