import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';

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
export async function describeFailedChildren(
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
  const text = `${first?.failed ?? 0} of ${group.taskCount ?? 0} failed: ${named}${more > 0 ? `, and ${more} more reasons` : ''}`;
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()}…` : text;
}

function describeReason({ kind, count, message, task, isSame }: Reason): string {
  if (isSame) return `${message} (${count})`;
  return `${kind} (${count}; task ${task}: ${message.slice(kind.length + 2)})`;
}
