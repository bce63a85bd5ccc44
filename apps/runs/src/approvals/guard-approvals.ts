import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { ApprovalProgram, Step } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import type { TaskSelection } from '../engine/retry/find-repeated-tasks.js';
import { isChosen } from '../engine/rows/is-chosen.js';
import type { LockedRun } from '../engine/transaction/locked-run.js';
import { findApprovalsBefore, isPassedOver } from './order-of-approvals.js';

/** Whether the user who makes the change may decide about an approval that requires this role. */
export type MayDecide = (role: ApprovalProgram['role']) => boolean;

/**
 * Skips tasks, unless that replaces an approval that the user may not give: a skipped approval, one that the tasks wait for, or
 * one that ends without a decision so that what is ordered after it can run. The transaction has locked the run, and has no
 * effect if this throws.
 * @throws ForbiddenError
 */
export async function guardApprovals<T>(
  tx: Transaction,
  run: LockedRun,
  skipped: TaskSelection,
  mayDecide: MayDecide,
  skip: () => Promise<T>,
): Promise<T> {
  const forbidden = run.plan.plan.steps.filter(
    ({ program }) => program.kind === 'approval' && !mayDecide(program.role),
  );
  if (forbidden.length === 0) return skip();
  for (const [segment, indexes] of skipped) {
    const own = forbidden.find((step) => step.segment === segment || isSplitOf(run, segment, step));
    if (own) throw refuse(own, 'Skipping it');
    for (const step of findApprovalsBefore(run.plan, segment, forbidden)) {
      const isSameChild = step.scope !== null && step.scope === run.plan.segment(segment).scope;
      if (await isOpen(tx, run, step, isSameChild ? [...indexes.keys()] : null)) {
        throw refuse(step, 'Skipping a step that waits for it');
      }
    }
  }
  const passable = forbidden.filter((step) => isPassedOver(run.plan, step));
  const before = await countEnded(tx, run, passable);
  const result = await skip();
  const after = await countEnded(tx, run, passable);
  const passed = passable.find(({ segment }) => (after.get(segment) ?? 0) > (before.get(segment) ?? 0));
  if (passed) throw refuse(passed, 'Skipping a step that it depends on');
  return result;
}

/** An approval in a scope has no tasks before the split. Skipping it then skips the split. */
const isSplitOf = ({ plan }: LockedRun, segment: number, { scope }: Step): boolean =>
  scope !== null && plan.scopeSplitBy(segment)?.index === scope;

function refuse({ node, program }: Step, what: string): ForbiddenError {
  const role = program.kind === 'approval' ? program.role : 'owner';
  return new ForbiddenError(
    `${what} replaces the approval ${JSON.stringify(node)}, which requires the role "${role}" in the space. ` +
      'Ask a user with this role to decide, or to skip.',
  );
}

/**
 * Whether an approval still keeps what follows it from running.
 * @param indexes of the children that matter; null means all
 */
async function isOpen(tx: Transaction, run: LockedRun, { segment }: Step, indexes: number[] | null): Promise<boolean> {
  const [{ found }] = await tx.$queryRaw<[{ found: boolean }]>`
    SELECT EXISTS (
      SELECT 1 FROM runs.segment WHERE run_id = ${run.id} AND segment = ${segment}
        AND (total IS NULL OR (broken > 0 AND ${indexes === null}))
    ) OR EXISTS (
      SELECT 1 FROM runs.task WHERE run_id = ${run.id} AND segment = ${segment} AND (state <> 'DONE' OR outcome = 'BROKEN')
        AND ${isChosen(indexes)}) AS found`;
  return found;
}

/** Counts the tasks of approvals that ended without keeping anything from running, by segment. */
async function countEnded(tx: Transaction, run: LockedRun, steps: readonly Step[]): Promise<Map<number, number>> {
  if (steps.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ segment: number; count: number }[]>`
    SELECT segment, greatest(settled - broken, missing) AS count FROM runs.segment
    WHERE run_id = ${run.id} AND segment = ANY(${steps.map(({ segment }) => segment)}::int[])`;
  return new Map(rows.map(({ segment, count }) => [segment, count]));
}
