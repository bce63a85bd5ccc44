import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { isChosen } from '../rows/is-chosen.js';
import type { ChangedSubjob, LockedRun } from '../transaction/locked-run.js';
import { recordTransitions } from '../transaction/record-transitions.js';

const MAX_INT = 2 ** 31 - 1;

/** Range of the column `task`: 0 is the node itself, children are numbered from 1. */
const RANGES = { groups: [0, 0], children: [1, MAX_INT] } as const;

type EndedSubjob = ChangedSubjob & { from: 'PENDING' };

/**
 * Gives subjobs that have not started their final status.
 * @param tasks indexes of tasks of each step; `children` means all children, `groups` only the node itself
 * @param message why, for all or by index of the task; null keeps the current message
 */
export async function endSubjobs(
  tx: Transaction,
  run: LockedRun,
  steps: number[],
  tasks: number[] | 'children' | 'groups',
  status: Extract<SubjobStatus, 'SKIPPED' | 'STOPPED'>,
  message: string | null | ReadonlyMap<number, string> = null,
): Promise<void> {
  const visibleSteps = steps.map((step) => run.plan.subjobOf(step, 0).step);
  const chosen =
    typeof tasks === 'string'
      ? Prisma.sql`task BETWEEN ${RANGES[tasks][0]} AND ${RANGES[tasks][1]}`
      : isChosen(tasks, 'task');
  const [shared, own] = typeof message === 'object' && message !== null ? [null, message] : [message, null];
  const ended = await tx.$queryRaw<EndedSubjob[]>`
    UPDATE runs.subjob SET status = ${status}, finished_at = ${run.now}, message = coalesce(${shared}, message)
    WHERE run_id = ${run.id} AND step = ANY(${visibleSteps}::int[]) AND ${chosen} AND status = 'PENDING'
    RETURNING id, step, task, task_count AS "taskCount", 'PENDING' AS "from"`;
  if (own !== null && ended.length > 0) await setMessages(tx, ended, own);
  await recordTransitions(tx, run, ended, status);
}

async function setMessages(
  tx: Transaction,
  ended: readonly { id: bigint; task: number }[],
  messages: ReadonlyMap<number, string>,
): Promise<void> {
  const described = ended.flatMap(({ id, task }) => {
    const message = messages.get(task);
    return message === undefined ? [] : [{ id: String(id), message }];
  });
  await tx.$executeRaw`
    UPDATE runs.subjob AS s SET message = m.message
    FROM unnest(${described.map(({ id }) => id)}::bigint[], ${described.map(({ message }) => message)}::text[]) AS m(id, message)
    WHERE s.id = m.id`;
}
