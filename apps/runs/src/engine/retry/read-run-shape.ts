import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';
import type { RunShape } from './find-repeated-tasks.js';

/** Reads the numbers of tasks, and the tasks that could not run. */
export async function readRunShape(tx: Transaction, run: LockedRun): Promise<RunShape> {
  const segments = await tx.$queryRaw<{ segment: number; total: number | null }[]>`
    SELECT segment, total FROM runs.segment WHERE run_id = ${run.id} ORDER BY segment`;
  const broken = await tx.$queryRaw<{ segment: number; index: number }[]>`
    SELECT segment, index FROM runs.task WHERE run_id = ${run.id} AND outcome = 'BROKEN'`;
  const bySegment = Map.groupBy(broken, ({ segment }) => segment);
  return {
    totals: segments.map(({ total }) => total),
    broken: new Map([...bySegment].map(([segment, tasks]) => [segment, tasks.map(({ index }) => index)])),
  };
}

/** Records how the tasks of a run ended that ended before outcomes were recorded: without a subjob that did not succeed, they succeeded. */
export async function recordOutcomes(tx: Transaction, run: LockedRun): Promise<void> {
  const { steps } = run.plan.plan;
  const visible = steps.map(({ index }) => run.plan.subjobOf(index, 0).step);
  await tx.$executeRaw`
    UPDATE runs.task AS t SET outcome = CASE WHEN EXISTS (
        SELECT 1 FROM unnest(${visible}::int[], ${steps.map(({ segment }) => segment)}::int[]) AS p(step, segment)
        JOIN runs.subjob s ON s.run_id = t.run_id AND s.step = p.step AND s.task = t.index
        WHERE p.segment = t.segment AND s.status IN ('FAILED', 'STOPPED', 'SKIPPED')) THEN 'BROKEN' ELSE 'SUCCEEDED' END
    WHERE t.run_id = ${run.id} AND t.state = 'DONE' AND t.outcome IS NULL`;
}
