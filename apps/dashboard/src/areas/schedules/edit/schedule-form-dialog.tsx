import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workflow } from '@millrace/client';
import { client } from '../../../api/client.js';
import { Checkbox, SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { refreshSchedule } from '../queries.js';
import { InputFields } from './input-fields.js';
import type { WorkflowInput } from './list-inputs.js';
import { NextTicks } from './next-ticks.js';
import { toBody, toForm, type ScheduleForm, type ScheduleKind } from './schedule-form.js';
import { CronFields, PeriodField } from './timing-fields.js';

interface ScheduleFormDialogProps {
  workflow: Workflow;
  inputs: readonly WorkflowInput[];
  onClose: () => void;
}

const KINDS: readonly { value: ScheduleKind; label: string }[] = [
  { value: 'cron', label: 'At times of the clock (cron)' },
  { value: 'period', label: 'Every so many minutes' },
  { value: 'continuous', label: 'Again as soon as a run has ended' },
];

export function ScheduleFormDialog({ workflow, inputs, onClose }: ScheduleFormDialogProps) {
  const { id, name, schedule_info: schedule } = workflow;
  const queryClient = useQueryClient();
  const [form, setForm] = useState(() => toForm(schedule, Intl.DateTimeFormat().resolvedOptions().timeZone));
  const change = (part: Partial<ScheduleForm>) => setForm((current) => ({ ...current, ...part }));
  const save = useMutation({
    mutationFn: () => client.schedules.set(id, toBody(form)),
    onSuccess: async () => {
      await refreshSchedule(queryClient, id);
      onClose();
    },
  });
  return (
    <FormDialog
      title={schedule ? `Schedule of “${name}”` : `Schedule “${name}”`}
      description="Each run takes the latest version of the workflow, and has your roles."
      action="Save"
      mutation={save}
      width={560}
      onClose={onClose}
    >
      <SelectField label="When" value={form.kind} options={KINDS} onChange={(kind) => change({ kind })} />
      {form.kind === 'cron' && <CronFields form={form} onChange={change} />}
      {form.kind === 'period' && <PeriodField form={form} onChange={change} />}
      <TextField
        type="datetime-local"
        label="Not before"
        hint={
          form.kind === 'period'
            ? 'Optional. Periods count from this time, in your time zone.'
            : 'Optional, in your time zone.'
        }
        value={form.start}
        onChange={(start) => change({ start })}
      />
      <NextTicks form={form} />
      <InputFields
        inputs={inputs}
        masked={schedule?.masked ?? []}
        values={form.inputs}
        onChange={(values) => change({ inputs: values })}
      />
      <TextField
        type="number"
        min={1}
        max={10_000}
        label="Parallelism"
        hint="Optional. How many subjobs of a run may run at once."
        value={form.parallelism}
        onChange={(parallelism) => change({ parallelism })}
      />
      <Checkbox
        label="Start runs (otherwise the schedule is paused)"
        checked={form.enabled}
        onChange={(enabled) => change({ enabled })}
      />
    </FormDialog>
  );
}
