import type { Schedule, Workflow } from '@millrace/client';

/** A workflow that has a schedule. */
export type ScheduledWorkflow = Workflow & { schedule_info: Schedule };

export const isScheduled = (workflow: Workflow): workflow is ScheduledWorkflow => workflow.schedule_info !== null;
