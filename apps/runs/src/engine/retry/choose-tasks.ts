import { ValidationError } from '@millrace/contracts/kit/api-error';
import { showName } from '@millrace/graph/names/check-name';
import { suggestName } from '@millrace/graph/names/suggest-name';
import type { Plan, Step } from '@millrace/graph/plan/plan';
import type { Transaction } from '@millrace/persistence/database';
import { toNumericId } from '@millrace/persistence/ids';
import type { LockedRun } from '../transaction/locked-run.js';
import { FROM_FAILURE, selectTask, type TaskSelection } from './find-repeated-tasks.js';

interface TaskKey {
  segment: number;
  index: number;
}

/** Where the subjobs of a plan's tasks are: the steps of subjobs, and the segments of their tasks. */
interface SubjobPlaces {
  steps: number[];
  segments: number[];
  /** Whether the step runs once, so that the node's own subjob belongs to the task. */
  once: boolean[];
}

/** A hidden split has the task group of its node, but only as long as that has no children. */
function listPlaces(run: LockedRun): SubjobPlaces {
  const { steps } = run.plan.plan;
  return {
    steps: steps.map(({ index }) => run.plan.subjobOf(index, 0).step),
    segments: steps.map(({ segment }) => segment),
    once: steps.map(({ scope }) => scope === null),
  };
}

/** Selects every task that failed, was stopped, or was skipped because of that. */
export async function selectFailed(tx: Transaction, run: LockedRun): Promise<TaskSelection> {
  const { steps, segments, once } = listPlaces(run);
  const rows = await tx.$queryRaw<TaskKey[]>`
    SELECT DISTINCT p.segment, s.task AS index
    FROM unnest(${steps}::int[], ${segments}::int[], ${once}::boolean[]) AS p(step, segment, once)
    JOIN runs.subjob s ON s.run_id = ${run.id} AND s.step = p.step AND s.status IN ('FAILED', 'STOPPED')
      AND CASE WHEN p.once THEN s.task = 0 AND coalesce(s.task_count, 0) = 0 ELSE s.task > 0 END
    UNION SELECT segment, index FROM runs.task WHERE run_id = ${run.id} AND outcome = 'BROKEN'`;
  const selection: TaskSelection = new Map();
  for (const { segment, index } of rows) selectTask(selection, segment, index, FROM_FAILURE);
  for (const split of await findUnusedSplits(tx, run)) selectTask(selection, split, 0, 0);
  return selection;
}

/** The segments of splits that succeeded after their run had been stopped, so that their scopes have no children. */
async function findUnusedSplits(tx: Transaction, run: LockedRun): Promise<number[]> {
  const scoped = run.plan.plan.steps.filter(({ scope }) => scope !== null);
  const rows = await tx.$queryRaw<{ step: number }[]>`
    SELECT step FROM runs.subjob
    WHERE run_id = ${run.id} AND step = ANY(${scoped.map(({ index }) => index)}::int[]) AND task = 0 AND status = 'STOPPED'
      AND coalesce(task_count, 0) = 0`;
  return rows.map(({ step }) => run.plan.splitSegmentOf(run.plan.step(step).scope ?? -1));
}

/**
 * The steps of a node, by its name; the name of a module stands for all nodes in it.
 * @param field of the request that has the name
 * @throws ValidationError if there is no such node
 */
export function requireNode({ steps }: Plan, name: string, field: string): Step[] {
  const found = steps.filter((step) => step.node === name || step.node.startsWith(`${name}/`));
  if (found.length > 0) return found;
  const names = steps.map(({ node }) => node);
  const suggestion = suggestName(name, names) ?? 'See `GET /runs/{id}/subjobs` for its nodes.';
  throw new ValidationError({ [field]: `names no node of this run (got ${JSON.stringify(name)}). ${suggestion}` });
}

/**
 * Selects all tasks of nodes, by their names; the name of a module stands for all nodes in it.
 * @throws ValidationError
 */
export async function selectNodes(tx: Transaction, run: LockedRun, nodes: readonly string[]): Promise<TaskSelection> {
  const chosen = nodes.flatMap((name, at) =>
    requireNode(run.plan.plan, name, `body.nodes.${at}`).filter(({ index }) => !run.plan.isHidden(index)),
  );
  const selection: TaskSelection = new Map();
  for (const step of chosen) {
    for (const { segment, index } of await listTasks(tx, run, step)) {
      selectTask(selection, segment, index, positionOf(run, segment, step.index));
    }
  }
  return selection;
}

/** The tasks of a step. A node whose items are not known has the task of its split only. */
async function listTasks(tx: Transaction, run: LockedRun, step: Step): Promise<TaskKey[]> {
  const tasks = await tx.$queryRaw<TaskKey[]>`
    SELECT segment, index FROM runs.task WHERE run_id = ${run.id} AND segment = ${step.segment}`;
  if (tasks.length > 0 || step.scope === null) return tasks;
  return [{ segment: run.plan.splitSegmentOf(step.scope), index: 0 }];
}

/**
 * Selects the tasks of subjobs, by their ids as a request has them; a task group stands for all its children.
 * @throws ValidationError
 */
export async function selectSubjobs(tx: Transaction, run: LockedRun, given: readonly string[]): Promise<TaskSelection> {
  const ids = given.map((id) => toNumericId(id));
  const rows = await tx.$queryRaw<{ id: bigint; step: number; task: number }[]>`
    SELECT id, step, task FROM runs.subjob WHERE run_id = ${run.id} AND id = ANY(${ids.map(String)}::bigint[])`;
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0) {
    throw new ValidationError({
      [`body.children.${unknown}`]: `names no subjob of run ${run.id} (got ${showName(given[unknown] ?? '')})`,
    });
  }
  const selection: TaskSelection = new Map();
  for (const { step, task } of rows) {
    const planned = run.plan.step(step);
    const isGroup = planned.scope !== null && task === 0;
    const tasks = isGroup ? await listTasks(tx, run, planned) : [{ segment: planned.segment, index: task }];
    for (const { segment, index } of tasks) selectTask(selection, segment, index, positionOf(run, segment, step));
  }
  return selection;
}

/**
 * Selects what a user skips: the task of a subjob, or those children of a task group that have no result of its step.
 * @throws ValidationError
 */
export async function selectSkipped(tx: Transaction, run: LockedRun, id: bigint): Promise<TaskSelection> {
  const selected = await selectSubjobs(tx, run, [String(id)]);
  const succeeded = await tx.$queryRaw<{ step: number; task: number }[]>`
    SELECT c.step, c.task FROM runs.subjob c JOIN runs.subjob g ON g.run_id = c.run_id AND g.step = c.step
    WHERE g.run_id = ${run.id} AND g.id = ${id} AND g.task = 0 AND c.task > 0 AND c.status = 'SUCCEEDED'`;
  for (const { step, task } of succeeded) selected.get(run.plan.step(step).segment)?.delete(task);
  return selected;
}

const positionOf = (run: LockedRun, segment: number, step: number): number =>
  Math.max(0, run.plan.segment(segment).steps.indexOf(step));

/**
 * Adds what chosen tasks cannot run without: earlier tasks that have no result although these need it.
 * A child needs the same child of earlier segments, and every task needs that no segment before it is broken.
 */
export async function addBrokenSources(tx: Transaction, run: LockedRun, chosen: TaskSelection): Promise<TaskSelection> {
  const rows = await tx.$queryRaw<(TaskKey & { outcome: string })[]>`
    SELECT segment, index, outcome FROM runs.task WHERE run_id = ${run.id} AND outcome IN ('BROKEN', 'MISSING')`;
  const bySegment = Map.groupBy(rows, ({ segment }) => segment);
  const selection: TaskSelection = new Map([...chosen].map(([segment, indexes]) => [segment, new Map(indexes)]));
  for (let segment = run.plan.plan.segments.length - 1; segment >= 0; segment--) {
    const indexes = selection.get(segment);
    if (!indexes) continue;
    for (const { segment: source, how } of run.plan.segment(segment).needs) {
      for (const { index, outcome } of bySegment.get(source) ?? []) {
        if (how === 'each' ? indexes.has(index) : outcome === 'BROKEN')
          selectTask(selection, source, index, FROM_FAILURE);
      }
    }
  }
  return selection;
}
