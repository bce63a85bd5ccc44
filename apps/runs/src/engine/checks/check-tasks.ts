import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { describeFalseCondition } from '@millrace/graph/conditions/describe-false-condition';
import { evaluateCondition, type ConditionFacts } from '@millrace/graph/conditions/evaluate-condition';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { ShownInputs } from '../../inputs/to-inputs.js';
import type { PlanIndex } from '../plans/plan-index.js';
import type { PlanStore } from '../plans/plan-store.js';
import { endSubjobs } from '../settle/end-subjobs.js';
import { settleTasks } from '../settle/settle-tasks.js';
import type { LockedRun } from '../transaction/locked-run.js';
import { readFacts } from './read-facts.js';
import { requestApprovals } from './request-approvals.js';

/** Tasks of one segment that are checked together. */
const MAX_TASKS = 500;
const MAX_SEGMENTS = 20;

/** Tasks whose condition has to be checked. */
export interface PendingCheck {
  run: bigint;
  segment: number;
  indexes: number[];
}

export interface CheckedTasks extends PendingCheck {
  /** Repairs of the run before the facts were read. After another one they may be wrong. */
  repairs: number;
  /** Tasks whose condition is true. */
  passed: number[];
  /** Tasks whose condition is false, by reason. */
  failed: ReadonlyMap<string, number[]>;
}

/** Finds tasks to check, of several runs. */
export async function findPendingChecks({ client }: Database): Promise<PendingCheck[]> {
  return client.$queryRaw<PendingCheck[]>`
    SELECT p.run, p.segment, array(
      SELECT index FROM runs.task t
      WHERE t.run_id = p.run AND t.segment = p.segment AND t.state = 'CHECKING' ORDER BY index LIMIT ${MAX_TASKS}) AS indexes
    FROM (SELECT DISTINCT t.run_id AS run, t.segment FROM runs.task t JOIN runs.run r ON r.id = t.run_id
      WHERE t.state = 'CHECKING' AND r.finished_at IS NULL AND r.status <> 'STOPPING' LIMIT ${MAX_SEGMENTS}) p`;
}

/** Evaluates the condition of tasks. Reads outputs, so it is done outside of the transaction that applies the result. */
export async function checkTasks(
  { database, store, plans }: { database: Database; store: ObjectStore; plans: PlanStore },
  { run: id, segment, indexes }: PendingCheck,
): Promise<CheckedTasks | null> {
  const run = await database.client.run.findUnique({
    where: { id },
    select: { plan: true, inputs: true, shownInputs: true, repairs: true },
  });
  if (!run) return null;
  const plan = await plans.load(run.plan);
  const condition = plan.steps(segment)[0]?.when;
  const checked = { run: id, segment, indexes, repairs: run.repairs };
  if (!condition) return { ...checked, passed: indexes, failed: new Map() };
  const inputs = readInputs(plan, run.inputs as Record<string, InputValue>);
  const mask = maskInputs(plan, inputs, run.shownInputs as ShownInputs | null);
  const factsOf = await readFacts({ database, store, plan, run: id }, condition, indexes);
  const passed: number[] = [];
  const failed = new Map<string, number[]>();
  for (const index of indexes) {
    const facts: ConditionFacts = { inputs, steps: factsOf(index) };
    if (evaluateCondition(condition, facts)) passed.push(index);
    else {
      const reason = `skipped: ${describeFalseCondition(condition, facts, mask)}`;
      failed.set(reason, [...(failed.get(reason) ?? []), index]);
    }
  }
  return { ...checked, passed, failed };
}

/** The inputs of the run as a condition sees them: texts and flags, and files by their name. */
function readInputs({ plan }: PlanIndex, inputs: Record<string, InputValue>): ConditionFacts['inputs'] {
  const values = Object.keys(plan.primitives).map((id) => {
    const value = inputs[id] ?? plan.primitives[id]?.value ?? null;
    const shown = typeof value === 'object' && value !== null ? ('path' in value ? value.path : null) : value;
    return [id, shown] as const;
  });
  return Object.fromEntries(values);
}

/** Masks the values of inputs that contain a secret. */
function maskInputs({ plan }: PlanIndex, inputs: ConditionFacts['inputs'], shown: ShownInputs | null) {
  const masked = new Set(shown?.masked);
  const secrets = Object.entries(plan.primitives)
    .filter(([id, { label }]) => masked.has(id) || masked.has(label))
    .flatMap(([id]) => (typeof inputs[id] === 'string' && inputs[id] !== '' ? [inputs[id]] : []));
  return (text: string): string => secrets.reduce((result, secret) => result.replaceAll(secret, '***'), text);
}

/** Applies the result of a check to the tasks that still wait for it. */
export async function applyChecks(tx: Transaction, run: LockedRun, checked: CheckedTasks): Promise<void> {
  if (run.isEnding || run.repairs !== checked.repairs) return;
  const { segment, passed } = checked;
  if (passed.length > 0) await pass(tx, run, segment, passed);
  for (const [reason, indexes] of checked.failed) await skip(tx, run, segment, indexes, reason);
}

async function pass(tx: Transaction, run: LockedRun, segment: number, indexes: number[]): Promise<void> {
  const isApproval = run.plan.steps(segment)[0]?.program.kind === 'approval';
  const rows = await tx.$queryRaw<{ index: number }[]>`
    UPDATE runs.task SET state = ${isApproval ? 'UNDECIDED' : 'READY'}
    WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${indexes}::int[]) AND state = 'CHECKING'
    RETURNING index`;
  if (isApproval && rows.length > 0) {
    await requestApprovals(
      tx,
      run,
      segment,
      rows.map(({ index }) => index),
    );
  }
}

async function skip(
  tx: Transaction,
  run: LockedRun,
  segment: number,
  indexes: number[],
  reason: string,
): Promise<void> {
  const rows = await tx.$queryRaw<{ index: number }[]>`
    UPDATE runs.task SET state = 'DONE', outcome = 'MISSING'
    WHERE run_id = ${run.id} AND segment = ${segment} AND index = ANY(${indexes}::int[]) AND state = 'CHECKING'
    RETURNING index`;
  const missing = rows.map(({ index }) => index);
  if (missing.length === 0) return;
  const [first, ...later] = run.plan.segment(segment).steps;
  await endSubjobs(tx, run, first === undefined ? [] : [first], missing, 'SKIPPED', reason);
  const node = run.plan.step(first ?? -1).node;
  await endSubjobs(tx, run, later, missing, 'SKIPPED', `skipped: the condition of ${node} is false`);
  await settleTasks(tx, [{ run, segment, succeeded: [], broken: [], missing }]);
}
