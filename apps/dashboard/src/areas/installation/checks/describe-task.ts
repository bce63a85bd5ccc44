import type { AdminTask, AdminTaskFinding, AdminTaskPart } from '@millrace/client';
import { countOf } from '../../../text/format-count.js';
import type { StatusLook } from '../../../ui/status-looks.js';

export const KIND_NAMES: Record<AdminTask['kind'], string> = { check: 'Check', reindex: 'Reindex' };

export const PART_LOOKS: Record<AdminTaskPart['state'], StatusLook> = {
  waiting: { label: 'Waiting', hue: 'queued', icon: 'circleDashed' },
  running: { label: 'Running', hue: 'running', icon: 'circlePlay' },
  done: { label: 'Done', hue: 'succeeded', icon: 'circleCheck' },
  failed: { label: 'Failed', hue: 'failed', icon: 'circleX' },
  cancelled: { label: 'Cancelled', hue: 'stopped', icon: 'circleStop' },
};

const TASK_LOOKS: Record<AdminTask['state'], StatusLook> = {
  running: PART_LOOKS.running,
  done: PART_LOOKS.done,
  failed: PART_LOOKS.failed,
  cancelled: PART_LOOKS.cancelled,
};

/** A finding that deserves attention, with its service. */
export type Problem = AdminTaskFinding & { service: AdminTaskPart['service'] };

/** What is violated or could not be carried out. */
export const findProblems = ({ parts }: Pick<AdminTask, 'parts'>): Problem[] =>
  parts.flatMap(({ service, findings }) =>
    findings.filter(({ status }) => status !== 'ok').map((finding) => ({ ...finding, service })),
  );

/** The look of a task: one that is done may still have found something. */
export function lookOfTask(task: AdminTask): StatusLook {
  const look = TASK_LOOKS[task.state];
  const problems = findProblems(task).length;
  if (problems === 0) return task.state === 'done' ? { ...look, label: 'Nothing found' } : look;
  return { label: countOf(problems, 'problem'), hue: 'failed', icon: task.state === 'running' ? look.icon : 'circleX' };
}

/** How many checks or indexes of all services are finished. A service that has not begun does not know its total. */
export function progressOf({ parts }: Pick<AdminTask, 'parts'>): { done: number; total: number } {
  const sum = (field: 'done' | 'total') => parts.reduce((all, part) => all + part[field], 0);
  return { done: sum('done'), total: sum('total') };
}
