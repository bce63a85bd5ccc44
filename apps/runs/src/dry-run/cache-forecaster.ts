import type { z } from 'zod';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { plannedStep } from '@millrace/contracts/runs/dry-run';
import type { Step } from '@millrace/graph/plan/plan';
import type { Database } from '@millrace/persistence/database';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { StepMatcher } from './match-steps.js';
import { stepKey, type EarlierRun } from './read-earlier-runs.js';
import { MAX_CHILDREN, readChildResults, type EarlierResult } from './read-results.js';

export type CacheForecast = z.input<typeof plannedStep>['cache'];

/** The run that is planned. */
export interface PlannedRun {
  plan: PlanIndex;
  space: string;
  inputs: Readonly<Record<string, InputValue>>;
  useCache: boolean | undefined;
  /** The run whose results it takes over, and the nodes that are executed anyway. */
  parent: { run: bigint; except: readonly string[] } | undefined;
}

export interface EarlierRuns {
  runs: readonly EarlierRun[];
  /** By index of the step, the latest run first. */
  results: ReadonlyMap<number, readonly EarlierResult[]>;
  /** Whether the cache of the space has any result. */
  hasCached: boolean;
}

/** Queries about children. */
const MAX_GROUPS = 50;

/**
 * Forecasts what the cache gives for each step. The worker computes the keys. Here a step has the key of a subjob of an
 * earlier run if everything that determines the key is the same. Nothing is guessed: if that cannot be decided, the forecast
 * is `unknown`.
 */
export class CacheForecaster {
  private readonly known = new Map<number, ReadonlySet<bigint>>();
  readonly matcher: StepMatcher;
  private readonly runner: string | null;
  private groups = 0;

  constructor(
    private readonly database: Database,
    private readonly planned: PlannedRun,
    private readonly earlier: EarlierRuns,
  ) {
    this.matcher = new StepMatcher(planned.plan, planned.inputs, this.known);
    this.runner = findLatestRunner(earlier);
  }

  /** Decides about a step after those before it. */
  async forecast(step: Step): Promise<CacheForecast> {
    const { program, when } = step;
    if (program.kind === 'split') return miss('a split is always executed');
    if (program.kind === 'approval') return miss('somebody has to decide each time');
    if (!this.mayReuse(step)) return miss('the node does not use the cache');
    if (!this.earlier.hasCached && !this.planned.parent) return miss('the space has no cached results');
    if (this.planned.plan.variables.length > 0)
      return unknown('the workflow uses variables, and only a worker knows their values');
    const problem = this.matcher.findUnknownInput(step);
    if (problem !== null) return unknown(problem);
    // The secrets of a run are in all of its keys.
    const same = this.earlier.runs.filter((run) => run.plan.secrets === null && this.matcher.isSame(step, run));
    const found = step.scope === null ? this.findResult(step, same) : await this.findChildren(step, same);
    if (found.result !== 'hit' || when === undefined) return found;
    this.known.delete(step.index);
    return { ...found, reason: `${found.reason}, if its condition is true` };
  }

  /** As the worker decides: a run that takes over results looks for those of every node. */
  private mayReuse({ cache }: Step): boolean {
    const { parent, useCache } = this.planned;
    return parent !== undefined || ((cache || useCache === true) && useCache !== false);
  }

  private mayTakeOver(run: bigint, { node }: Step): boolean {
    const { parent } = this.planned;
    return parent?.run === run && !parent.except.some((name) => node === name || node.startsWith(`${name}/`));
  }

  /** Of a node without `cache`, the kind of worker is not recorded. */
  private hasSameRunner({ runner }: { runner: string | null }): boolean {
    return runner === null || this.runner === null || runner === this.runner;
  }

  private findResult(step: Step, same: readonly EarlierRun[]): CacheForecast {
    const results = this.earlier.results.get(step.index) ?? [];
    let missing: bigint | null = null;
    for (const { id: run } of same) {
      const result = results.find((candidate) => candidate.run === run);
      if (result?.status !== 'SUCCEEDED' || result.key === null || !this.hasSameRunner(result)) continue;
      const origin = result.entry ?? (this.mayTakeOver(run, step) ? result.id : null);
      if (origin === null) {
        missing ??= run;
        continue;
      }
      const equal = results.filter(({ id, cachedFrom }) => id === origin || cachedFrom === origin);
      this.known.set(step.index, new Set(equal.map((other) => other.run)));
      return hit(run);
    }
    return missing === null ? NOTHING_SIMILAR : miss(`the cache does not have the result of run ${missing}`);
  }

  private async findChildren(step: Step, same: readonly EarlierRun[]): Promise<CacheForecast> {
    const results = this.earlier.results.get(step.index) ?? [];
    let missing: bigint | null = null;
    for (const run of same) {
      const group = results.find((candidate) => candidate.run === run.id);
      const former = run.steps.get(stepKey(step));
      if (!group || group.taskCount === null || group.taskCount === 0 || former === undefined) continue;
      if (group.taskCount > MAX_CHILDREN) return unknown(`it has more than ${MAX_CHILDREN} children`);
      if (++this.groups > MAX_GROUPS) return unknown(`more than ${MAX_GROUPS} nodes have children`);
      const found = await readChildResults(this.database, this.planned.space, run.id, former);
      if (found.total === 0 || !this.hasSameRunner(found)) continue;
      const own = this.mayTakeOver(run.id, step) ? found.own : 0;
      const hits = found.cached + own;
      if (found.same + own === group.taskCount) this.known.set(step.index, new Set([run.id]));
      if (hits === group.taskCount) return hit(run.id);
      if (hits === 0) {
        missing ??= run.id;
        continue;
      }
      const reason = `the cache has results of ${hits} of ${group.taskCount} children`;
      return { result: 'partial', hits, reason, run: String(run.id) };
    }
    return missing === null ? NOTHING_SIMILAR : miss(`the cache does not have the results of run ${missing}`);
  }
}

/** The kind of worker that executed the last step, because the next ones will run on such workers as well. */
function findLatestRunner({ runs, results }: EarlierRuns): string | null {
  const all = [...results.values()].flat().filter(({ runner }) => runner !== null);
  for (const { id } of runs.toSorted((a, b) => Number(b.id - a.id))) {
    const found = all.find(({ run }) => run === id);
    if (found) return found.runner;
  }
  return null;
}

const miss = (reason: string): CacheForecast => ({ result: 'miss', reason });
const unknown = (reason: string): CacheForecast => ({ result: 'unknown', reason });
const hit = (run: bigint): CacheForecast => ({
  result: 'hit',
  reason: `run ${run} had the same program, arguments and inputs`,
  run: String(run),
});
const NOTHING_SIMILAR = unknown(
  'none of the last runs of the workflow had the same program, arguments and inputs; another workflow of the space may have had them',
);
