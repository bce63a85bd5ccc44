import type { Schedule, Workflow } from '@millrace/client';
import type { ScheduleState } from './search.js';

/** A workflow that has a schedule. */
export type ScheduledWorkflow = Workflow & { schedule_info: Schedule };

export const isScheduled = (workflow: Workflow): workflow is ScheduledWorkflow => workflow.schedule_info !== null;

/** Whether something keeps the schedule from starting runs. */
export const isFailing = ({ last_refusal: refusal }: Schedule): boolean => refusal !== undefined;

/** Whether a schedule belongs to a filter; without a filter, each does. */
export function hasState(schedule: Schedule, state: ScheduleState | undefined): boolean {
  if (state === 'failing') return isFailing(schedule);
  return state === undefined || schedule.enabled === (state === 'active');
}
