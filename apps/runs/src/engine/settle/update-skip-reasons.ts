import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import { findBlock } from './find-block.js';
import { findSkipReason, SKIPPED } from './skip-reasons.js';

/**
 * Adds causes that became known later to the message of a step that was skipped before, and of the steps that were skipped
 * because of it: the second of two approvals may be rejected long after the first. Only steps that run once are updated.
 */
export async function updateSkipReasons(tx: Transaction, run: LockedRun, segment: number): Promise<void> {
  const outdated = new Set([segment]);
  // Segments are in topological order, so each is updated after everything that it needs.
  for (const { index } of run.plan.plan.segments) {
    if (!outdated.has(index) || !(await updateSkipReason(tx, run, index))) continue;
    for (const consumer of run.plan.consumers[index] ?? []) outdated.add(consumer.segment);
  }
}

/** @returns whether the message has changed */
async function updateSkipReason(tx: Transaction, run: LockedRun, index: number): Promise<boolean> {
  const segment = run.plan.segment(index);
  const block = segment.scope === null ? await findBlock(tx, run, segment) : null;
  const reason = block && (await findSkipReason(tx, run, block.causes));
  if (reason === null) return false;
  const updated = await tx.$executeRaw`
    UPDATE runs.subjob AS s SET message = ${reason}
    WHERE s.run_id = ${run.id} AND s.step = ANY(${segment.steps}::int[]) AND s.task = 0 AND s.status = 'SKIPPED'
      AND starts_with(s.message, ${SKIPPED}) AND s.message <> ${reason}
      AND EXISTS (SELECT 1 FROM runs.task t WHERE t.run_id = s.run_id AND t.segment = ${index} AND t.outcome = 'BROKEN')
      AND NOT EXISTS (SELECT 1 FROM runs.subjob o WHERE o.run_id = s.run_id AND o.step = ANY(${segment.steps}::int[])
        AND o.task = 0 AND o.status IN ('FAILED', 'STOPPED'))`;
  return updated > 0;
}
