import { type CachedResult, type CacheKey } from '@millrace/contracts/runs/cache';
import { type DispatchPayload, type DispatchTask } from '@millrace/contracts/runs/dispatch';
import { type Plan, type Step } from '@millrace/graph/plan/plan';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type Execution } from '../execution/prepare-execution.js';
import { resolveInputs, type ResolvedInputs } from '../inputs/resolve-inputs.js';
import { TaskFiles } from '../inputs/task-files.js';
import { type RunVariables } from '../variables/run-variables.js';
import { cacheKey } from './cache-key.js';
import { type ResultCache } from './result-cache.js';

/** A step's cache key and inputs, and the cached result if there is one. */
export interface CacheLookup {
  key: CacheKey;
  inputs: ResolvedInputs;
  hit: CachedResult | null;
}

/** A task's files so far, and its steps that were looked up. */
export interface PreparedTask {
  files: TaskFiles;
  steps: Map<number, CacheLookup>;
}

export interface CacheTools {
  results: ResultCache;
  store: ObjectStore;
  execution: Pick<Execution, 'runnerOf'>;
}

/** Time for looking up the tasks after the next one. It also bounds the memory that their lookups use. */
const LOOKAHEAD_MS = 100;

/**
 * Looks up the steps of one dispatch in the cache. Consecutive tasks are looked up together, each as far as its steps are
 * cached, because one request for each would cost more than executing a short step.
 */
export class CachedTasks {
  private readonly prepared = new Map<number, PreparedTask>();

  constructor(
    private readonly payload: DispatchPayload,
    private readonly plan: Plan,
    private readonly variables: RunVariables,
    private readonly tools: CacheTools,
  ) {}

  /**
   * Looks up the first of these tasks if its steps may be cached, and the others with it.
   * @param tasks in the order in which they will be executed
   */
  async prepare(tasks: readonly DispatchTask[]): Promise<void> {
    const [first] = tasks;
    if (!first || this.prepared.has(first.index)) return;
    const until = performance.now() + LOOKAHEAD_MS;
    const batch: [DispatchTask, PreparedTask][] = [];
    for (const task of tasks) {
      const prepared = { files: new TaskFiles(this.payload, task, this.tools.store), steps: new Map() };
      this.prepared.set(task.index, prepared);
      batch.push([task, prepared]);
      const step = this.stepsOf(task)[0];
      if (!step || !this.mayReuse(step) || !(await this.addKey(prepared, step)) || performance.now() > until) break;
    }
    await this.lookUpAll(batch, until);
  }

  /** Returns a task's lookups and forgets them. */
  take(task: DispatchTask): PreparedTask {
    const prepared = this.prepared.get(task.index);
    this.prepared.delete(task.index);
    return prepared ?? { files: new TaskFiles(this.payload, task, this.tools.store), steps: new Map() };
  }

  stepsOf(task: DispatchTask): Step[] {
    const steps = this.plan.segments[this.payload.segment]?.steps ?? [];
    return steps.flatMap((index) => (task.recorded.includes(index) ? [] : (this.plan.steps[index] ?? [])));
  }

  /** Looks up a step, if `prepare` could not because earlier steps had to run first. Undefined if it has no key. */
  async lookUp(prepared: PreparedTask, step: Step): Promise<CacheLookup | undefined> {
    if (!prepared.steps.has(step.index) && this.hasKey(step)) {
      const looked = await this.addKey(prepared, step);
      if (looked && this.mayReuse(step)) await this.find([[prepared, step]]);
    }
    return prepared.steps.get(step.index);
  }

  /** Looks up step after step of the tasks whose steps were all cached so far. */
  private async lookUpAll(batch: [DispatchTask, PreparedTask][], until: number): Promise<void> {
    let open = batch.map(([task, prepared]) => ({ prepared, steps: this.stepsOf(task) }));
    for (let at = 0; open.length > 0 && (at === 0 || performance.now() < until); at++) {
      const keyed: [PreparedTask, Step][] = [];
      for (const { prepared, steps } of open) {
        const step = steps[at];
        if (step && this.mayReuse(step) && (prepared.steps.has(step.index) || (await this.addKey(prepared, step)))) {
          keyed.push([prepared, step]);
        }
      }
      if (keyed.length > 0) await this.find(keyed);
      open = open.filter(({ prepared, steps }) => prepared.steps.get(steps[at]?.index ?? -1)?.hit);
    }
  }

  private async find(keyed: [PreparedTask, Step][]): Promise<void> {
    const looked = keyed.flatMap(([prepared, step]) => {
      const one = prepared.steps.get(step.index);
      return one ? [{ prepared, step, one }] : [];
    });
    const found = await this.tools.results.lookUp(
      this.payload.dispatch,
      looked.map(({ one }) => one.key.key),
    );
    for (const { prepared, step, one } of looked) {
      one.hit = found.get(one.key.key) ?? null;
      if (one.hit) prepared.files.add(step.index, one.hit.outputs);
    }
  }

  /** Null if the inputs are invalid; that is found again and reported when the step is executed. */
  private async addKey(prepared: PreparedTask, step: Step): Promise<CacheLookup | null> {
    const { payload, plan, variables, tools } = this;
    const { store, execution } = tools;
    const runner = execution.runnerOf(step);
    if (runner === null) return null;
    try {
      const sources = { plan, items: payload.items, files: prepared.files, store, variables };
      const inputs = await resolveInputs(step, sources);
      const key = await cacheKey(step, inputs, { variables, runner });
      if (key === null) return null;
      const looked = { key, inputs, hit: null };
      prepared.steps.set(step.index, looked);
      return looked;
    } catch {
      return null;
    }
  }

  /**
   * Every step that runs a program has a key: a retry with other inputs finds results by it. A step in an image that may
   * change has none.
   */
  private hasKey(step: Step): boolean {
    const isFixed = this.tools.execution.runnerOf(step) !== null;
    return step.program.kind !== 'split' && this.variables.withheld === null && isFixed;
  }

  /** True for nodes with `cache: true`, and for all nodes of a run that was started with `use_cache: true`. */
  mayStore(step: Step): boolean {
    return this.hasKey(step) && (step.cache || this.payload.useCache === true);
  }

  private mayReuse(step: Step): boolean {
    if (this.payload.reuses) return this.hasKey(step);
    return this.mayStore(step) && this.payload.useCache !== false;
  }
}
