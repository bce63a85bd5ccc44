import type { Transaction } from '@millrace/persistence/database';
import { findBlock } from '../settle/find-block.js';
import { makeReady } from '../settle/make-ready.js';
import { settleTasks, skipTasks } from '../settle/settle-tasks.js';
import type { TaskOutcome } from '../states/task-transitions.js';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Makes waiting tasks of a segment ready, or skips them, as the present state of the segments that they need demands. Those
 * that have to wait stay as they are.
 */
export async function advanceTasks(tx: Transaction, run: LockedRun, segment: number, indexes: number[]): Promise<void> {
  const block = await findBlock(tx, run, run.plan.segment(segment));
  const skipped = block
    ? await skipTasks(tx, run, segment, indexes, block)
    : await skipChildren(tx, run, segment, indexes);
  await settleTasks(
    tx,
    skipped.map((settled) => ({ run, ...settled })),
  );
  if (!block && !run.row.fetching) await makeReady(tx, run, segment, indexes);
}

/** Skips tasks whose own child has no result in a segment before this one. */
async function skipChildren(tx: Transaction, run: LockedRun, segment: number, indexes: number[]) {
  const skipped = [];
  for (const { segment: cause, how, ordersOnly } of run.plan.segment(segment).needs) {
    if (how !== 'each') continue;
    const rows = await tx.$queryRaw<{ index: number; outcome: Exclude<TaskOutcome, 'SUCCEEDED'> }[]>`
      SELECT index, outcome FROM runs.task
      WHERE run_id = ${run.id} AND segment = ${cause} AND index = ANY(${indexes}::int[]) AND state = 'DONE'
        AND (outcome = 'BROKEN' OR (outcome = 'MISSING' AND NOT ${ordersOnly ?? false}))`;
    for (const [outcome, group] of Map.groupBy(rows, (row) => row.outcome)) {
      const tasks = group.map(({ index }) => index);
      skipped.push(...(await skipTasks(tx, run, segment, tasks, { causes: null, outcome })));
    }
  }
  return skipped;
}
