import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { Step } from '@millrace/graph/plan/plan';
import type { Database } from '@millrace/persistence/database';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { PlanStore } from '../engine/plans/plan-store.js';

/** A run of the same workflow that may tell something about the next one. */
export interface EarlierRun {
  id: bigint;
  plan: PlanIndex;
  inputs: Record<string, InputValue>;
  /** Parameters may have been changed after its start, so its plan may not say what each step ran with. */
  isChanged: boolean;
  /** Indexes of its steps by `stepKey`. */
  steps: ReadonlyMap<string, number>;
}

/** Runs that are read. */
const MAX_RUNS = 20;
/** Runs times steps, which limits all queries about them. */
const MAX_PAIRS = 5_000;

/** Identifies a step in all versions of a workflow. */
export const stepKey = ({ type, node }: Pick<Step, 'type' | 'node'>): string => `${type} ${node}`;

interface Request {
  vault: string;
  workflow: string;
  /** Number of steps of the plan. */
  steps: number;
  /** A run that is read in any case. */
  reused: bigint | null;
}

/** Reads the last runs of a workflow that have started, the latest first, but first of all the reused one; of a large workflow, only some. */
export async function readEarlierRuns(
  { client }: Database,
  plans: PlanStore,
  { vault, workflow, steps, reused }: Request,
): Promise<EarlierRun[]> {
  const limit = Math.max(1, Math.min(MAX_RUNS, Math.floor(MAX_PAIRS / Math.max(1, steps))));
  const select = { id: true, plan: true, inputs: true, parameters: true } as const;
  const where = { vaultId: vault, workflowId: workflow, startedAt: { not: null } };
  const latest = await client.run.findMany({ where, orderBy: { createdAt: 'desc' }, take: limit, select });
  const first = reused === null ? [] : await client.run.findMany({ where: { vaultId: vault, id: reused }, select });
  const read = [...first, ...latest.filter(({ id }) => id !== reused)].map(
    async ({ id, plan: sha256, inputs, parameters }) => {
      // The plan of an old run may have been deleted.
      const plan = await plans.load(sha256).catch(() => null);
      if (plan === null) return [];
      const indexes = new Map(plan.plan.steps.map((step) => [stepKey(step), step.index]));
      const isChanged = parameters !== null;
      return [{ id, plan, inputs: inputs as Record<string, InputValue>, isChanged, steps: indexes }];
    },
  );
  return (await Promise.all(read)).flat();
}

/** The steps of a plan and the same steps of earlier runs, as columns of a query. */
export function pairSteps(plan: PlanIndex, earlier: readonly EarlierRun[]) {
  const pairs = { target: [] as number[], run: [] as string[], step: [] as number[], scoped: [] as boolean[] };
  for (const step of plan.plan.steps) {
    for (const { id, plan: former, steps } of earlier) {
      const index = steps.get(stepKey(step));
      // A step that was not distributed then has other durations.
      if (index === undefined || (former.step(index).scope === null) !== (step.scope === null)) continue;
      pairs.target.push(step.index);
      pairs.run.push(String(id));
      pairs.step.push(index);
      pairs.scoped.push(step.scope !== null);
    }
  }
  return pairs;
}
