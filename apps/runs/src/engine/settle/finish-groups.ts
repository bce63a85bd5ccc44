import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Step } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import { isTolerated, showThreshold } from './fail-thresholds.js';

/** A task group has the status of its worst child. Without children it succeeds. */
function statusOf(children: ReadonlySet<string>): SubjobStatus {
  if (children.has('FAILED')) return 'FAILED';
  if (children.has('STOPPED')) return 'STOPPED';
  return children.has('SKIPPED') ? 'SKIPPED' : 'SUCCEEDED';
}

/** Gives the task groups of a complete segment their final status. */
export async function finishGroups(tx: Transaction, run: LockedRun, segment: number): Promise<void> {
  const { scope, steps } = run.plan.segment(segment);
  if (scope === null) return;
  const groups = await tx.$queryRaw<
    {
      id: bigint;
      step: number;
      task: number;
      taskCount: number | null;
      status: SubjobStatus;
      children: string[] | null;
      message: string | null;
      messages: number;
    }[]
  >`
    SELECT g.id, g.step, g.task, g.task_count AS "taskCount", g.status,
      array_agg(DISTINCT c.status) FILTER (WHERE c.status IS NOT NULL) AS children,
      min(c.message) FILTER (WHERE c.status = 'SKIPPED') AS message,
      count(DISTINCT c.message) FILTER (WHERE c.status = 'SKIPPED')::int AS messages
    FROM runs.subjob g LEFT JOIN runs.subjob c ON c.run_id = g.run_id AND c.step = g.step AND c.task > 0
    WHERE g.run_id = ${run.id} AND g.step = ANY(${steps}::int[]) AND g.task = 0
    GROUP BY g.id, g.step, g.task, g.task_count, g.status`;
  for (const group of groups) {
    if (isFinalSubjob(group.status)) continue;
    const status = statusOf(new Set(group.children ?? []));
    const message = await describeGroup(tx, run, { ...group, status });
    await tx.$executeRaw`
      UPDATE runs.subjob SET status = ${status}, started_at = coalesce(started_at, ${run.now}), finished_at = ${run.now},
        task_count = coalesce(task_count, 0), message = coalesce(${message}, message)
      WHERE id = ${group.id}`;
    run.recordTransition(group, group.status, status);
  }
}

async function describeGroup(
  tx: Transaction,
  run: LockedRun,
  group: { step: number; taskCount: number | null; status: SubjobStatus; message: string | null; messages: number },
): Promise<string | null> {
  const { status, message, messages } = group;
  if (status === 'FAILED') return describeFailedChildren(tx, run, group);
  if (status !== 'SKIPPED' || message === null) return null;
  return messages > 1 ? `${message}; and ${messages - 1} more` : message;
}

/** Reasons that a task group's message names. */
const MAX_REASONS = 3;
const MAX_MESSAGE_CHARACTERS = 600;

interface Reason {
  /** The message up to the first colon, such as `exit code 4`. */
  kind: string;
  count: number;
  kinds: number;
  failed: number;
  /** The message of the first such child. */
  message: string;
  task: number;
  /** All children with this reason have the same message. */
  isSame: boolean;
}

/**
 * Describes a task group with failed children: `3 of 100 failed: exit code 4: no such host (2), timed out
 * after 30 s (1)`. Postgres groups the children by reason, because there may be 100,000 of them.
 */
async function describeFailedChildren(
  tx: Transaction,
  run: LockedRun,
  group: { step: number; taskCount: number | null },
): Promise<string> {
  const reasons = await tx.$queryRaw<Reason[]>`
    SELECT r.kind, r.count, r.kinds, r.failed, r.task, r."isSame", coalesce(s.message, r.kind) AS message
    FROM (
      SELECT split_part(coalesce(message, 'no reason is known'), ': ', 1) AS kind, count(*)::int AS count, min(task) AS task,
        min(message) IS NOT DISTINCT FROM max(message) AS "isSame",
        (count(*) OVER ())::int AS kinds, (sum(count(*)) OVER ())::int AS failed
      FROM runs.subjob WHERE run_id = ${run.id} AND step = ${group.step} AND task > 0 AND status = 'FAILED'
      GROUP BY kind ORDER BY count DESC, task LIMIT ${MAX_REASONS}) r
    JOIN runs.subjob s ON s.run_id = ${run.id} AND s.step = ${group.step} AND s.task = r.task
    ORDER BY r.count DESC, r.task`;
  const [first] = reasons;
  const more = (first?.kinds ?? 0) - reasons.length;
  const named = reasons.map(describeReason).join(', ');
  const failed = first?.failed ?? 0;
  const excess = describeExcess(run.plan.step(group.step), failed, group.taskCount ?? 0);
  const text = `${failed} of ${group.taskCount ?? 0} failed${excess}: ${named}${more > 0 ? `, and ${more} more reasons` : ''}`;
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()}…` : text;
}

function describeExcess(step: Step, failed: number, total: number): string {
  if (!step.failThreshold || isTolerated(step, failed, total)) return '';
  return `, more than its fail_threshold of ${showThreshold(step.failThreshold)} tolerates`;
}

function describeReason({ kind, count, message, task, isSame }: Reason): string {
  if (isSame) return `${message} (${count})`;
  return `${kind} (${count}; task ${task}: ${message.slice(kind.length + 2)})`;
}
