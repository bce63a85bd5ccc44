import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.js';
import { useSpaceRole } from '../../../api/roles.js';
import { IconButton } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { Menu } from '../../../ui/menu.js';
import { notify, notifyError } from '../../../ui/toast.js';
import { withEnabled } from '../edit/schedule-form.js';
import { refreshSchedule } from '../queries.js';
import type { ScheduledWorkflow } from '../scheduled-workflow.js';

interface ScheduleActionsProps {
  workflow: ScheduledWorkflow;
  onEdit: () => void;
}

/** Runs, pauses, edits and deletes a schedule, as far as the user may. */
export function ScheduleActions({ workflow, onEdit }: ScheduleActionsProps) {
  const { id, name, schedule_info: schedule } = workflow;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const mayEdit = useSpaceRole(workflow.space_info, 'write');
  const mayRun = useSpaceRole(workflow.space_info, 'execute');
  const refresh = () => refreshSchedule(queryClient, id);
  // The values of masked inputs are not readable, so no request from here could repeat them.
  const hasMasked = (schedule.masked ?? []).length > 0;

  const run = useMutation({
    mutationFn: () =>
      client.workflows.run(id, {
        ...(schedule.inputs && { inputs: schedule.inputs }),
        ...(schedule.parallelism !== undefined && { parallelism: schedule.parallelism }),
      }),
    onSuccess: (started) =>
      notify({
        title: 'The run has started',
        description: name,
        action: {
          label: 'Open it',
          onSelect: () => void navigate({ to: '/runs/$runId', params: { runId: started.id } }),
        },
      }),
    onError: (error) => notifyError('The run could not start', error),
  });
  const toggle = useMutation({
    mutationFn: () => client.schedules.set(id, withEnabled(schedule, !schedule.enabled)),
    onSuccess: refresh,
    onError: (error) => notifyError(`The schedule could not be ${schedule.enabled ? 'paused' : 'resumed'}`, error),
  });

  if (!mayEdit && !mayRun) return null;
  const toggleLabel = schedule.enabled ? 'Pause' : 'Resume';
  return (
    <>
      {mayRun && !hasMasked && (
        <IconButton
          icon="play"
          label={`Run ${name} now`}
          disabled={run.isPending}
          onClick={() => run.mutate()}
          className="h-7! w-7!"
        />
      )}
      {mayEdit && (
        <>
          <IconButton
            icon={schedule.enabled ? 'pause' : 'circlePlay'}
            label={`${toggleLabel} the schedule of ${name}`}
            disabled={toggle.isPending}
            onClick={() => (hasMasked ? onEdit() : toggle.mutate())}
            className="h-7! w-7!"
          />
          <Menu
            trigger={<IconButton icon="dots" label={`Actions for ${name}`} className="h-7! w-7!" />}
            groups={[
              [{ label: 'Edit…', icon: 'pencil', onSelect: onEdit }],
              [{ label: 'Delete…', icon: 'trash', isDangerous: true, onSelect: () => setDeleting(true) }],
            ]}
          />
        </>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={`Delete the schedule of “${name}”?`}
          description="The workflow and its runs remain. Runs that the schedule has started continue."
          action="Delete"
          onConfirm={async () => {
            await client.schedules.delete(id);
            await refresh();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
