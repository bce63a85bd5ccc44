import type { Step } from '@millrace/graph/plan/plan';
import type { Database } from '@millrace/persistence/database';
import { ObjectMissingError } from '@millrace/storage/object-store';
import type { ItemKeys, SplitResult } from '../compare/item-keys.js';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { PlanStore } from '../engine/plans/plan-store.js';
import type { Counterpart, EarlierRun } from './find-earlier-results.js';

/** Children of earlier runs whose items are read, together: 0.1 s for 100,000, on busy cores five times as long. Runs beyond are not looked at. */
const MAX_ITEMS = 300_000;

export interface CounterpartTools {
  database: Database;
  plans: PlanStore;
  itemKeys: ItemKeys;
}

/** The subjob to explain. */
export interface ExplainedSubjob {
  run: bigint;
  plan: PlanIndex;
  step: Step;
  task: number;
}

export interface Counterparts {
  found: Counterpart[];
  /** Number of runs that were looked at. */
  examined: number;
}

/** Finds the subjobs of earlier runs for the same node, and for a child, for the same item. Keeps the order of the runs. */
export async function findCounterparts(
  tools: CounterpartTools,
  subjob: ExplainedSubjob,
  runs: readonly EarlierRun[],
): Promise<Counterparts> {
  const steps: { run: bigint; plan: PlanIndex; step: Step }[] = [];
  for (const { id, plan: sha256 } of runs) {
    const plan = await loadIfStored(tools.plans, sha256);
    const step = plan && findStep(plan, subjob.step);
    if (step) steps.push({ run: id, plan, step });
  }
  if (subjob.task === 0) {
    return { found: steps.map(({ run, step }) => ({ run, step, task: 0 })), examined: runs.length };
  }
  const splits = await readSplits(tools.database, [subjob, ...steps]);
  const own = splits.get(subjob.run);
  const canRead = own !== undefined && own.count <= MAX_ITEMS;
  const ownKey = canRead ? (await tools.itemKeys.read(own, modeOf(subjob)))?.[subjob.task - 1] : undefined;
  const found: Counterpart[] = [];
  let read = 0;
  for (const [at, earlier] of steps.entries()) {
    const split = splits.get(earlier.run);
    if (!split) continue;
    const isSameList = modeOf(earlier) === modeOf(subjob) && split.items === own?.items && split.index === own.index;
    read += isSameList || ownKey === undefined ? 0 : split.count;
    if (read > MAX_ITEMS) return { found, examined: at };
    const task = isSameList ? subjob.task : await findTask(tools.itemKeys, earlier, split, ownKey, subjob.task);
    if (task !== null) found.push({ run: earlier.run, step: earlier.step, task });
  }
  return { found, examined: runs.length };
}

async function loadIfStored(plans: PlanStore, sha256: string): Promise<PlanIndex | null> {
  try {
    return await plans.load(sha256);
  } catch (error) {
    if (error instanceof ObjectMissingError) return null;
    throw error;
  }
}

/** A node that was not split then has no child to compare with. */
const findStep = (plan: PlanIndex, { node, scope }: Step): Step | undefined =>
  plan.plan.steps.find(
    (step) => step.node === node && (step.scope === null) === (scope === null) && !plan.isHidden(step.index),
  );

const modeOf = ({ plan, step }: { plan: PlanIndex; step: Step }) => plan.plan.scopes[step.scope ?? -1]?.mode ?? 'line';

/** Reads how the scopes of these steps were split, by run. */
async function readSplits(
  { client }: Database,
  steps: readonly { run: bigint; plan: PlanIndex; step: Step }[],
): Promise<Map<bigint, SplitResult>> {
  const segments = steps.map(({ plan, step }) => plan.splitSegmentOf(step.scope ?? -1));
  const rows = await client.$queryRaw<{ run: bigint; split: SplitResult }[]>`
    SELECT s.run_id AS run, s.split
    FROM unnest(${steps.map(({ run }) => String(run))}::bigint[], ${segments}::int[]) AS c(run, segment)
    JOIN runs.segment s ON s.run_id = c.run AND s.segment = c.segment WHERE s.split IS NOT NULL`;
  return new Map(rows.map(({ run, split }) => [run, split]));
}

/** The number of the child with an item. If items cannot be compared, such as batches, children are matched by number. */
async function findTask(
  itemKeys: ItemKeys,
  earlier: { plan: PlanIndex; step: Step },
  split: SplitResult,
  ownKey: string | undefined,
  ownTask: number,
): Promise<number | null> {
  const keys = ownKey === undefined ? null : await itemKeys.read(split, modeOf(earlier));
  if (!keys || ownKey === undefined) return ownTask;
  const position = keys.indexOf(ownKey);
  return position < 0 ? null : position + 1;
}
