import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { planRun, type plannedStep } from '@millrace/contracts/runs/dry-run';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { RunRequests } from '../launch/run-requests.js';
import { defaultParallelism, RunStarter, type RunRequest } from '../launch/run-starter.js';
import type { RunnableVersion } from '../launch/version-cache.js';
import { OBJECT_STORE } from '../object-store.js';
import { InvalidParametersError } from '../parameters/invalid-parameters-error.js';
import { sumSlots } from '../workers/fleet-routes.js';
import { WorkerRegistry } from '../workers/worker-registry.js';
import { CacheForecaster, type PlannedRun } from './cache-forecaster.js';
import { ChildCounter } from './child-counter.js';
import { describeStep, limitSteps } from './describe-step.js';
import { estimateRun } from './estimate-run.js';
import { findUnplaced } from './find-unplaced.js';
import { ProblemFinder, toWorkflowProblems, type PlanProblem } from './problem-finder.js';
import { readEarlierRuns } from './read-earlier-runs.js';
import { readHistory } from './read-history.js';
import { hasCachedResults, readResults, readSplitCounts } from './read-results.js';

type RunPlan = Result<typeof planRun>;

/** Nodes that prevent an estimate and are named. */
const MAX_NAMED = 20;

/** Plans runs without starting them. */
@Controller()
export class DryRunController {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly requests: RunRequests,
    private readonly starter: RunStarter,
    private readonly problems: ProblemFinder,
    private readonly workers: WorkerRegistry,
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @OperationHandler(planRun)
  async plan({ params, body }: Input<typeof planRun>, context: Context): Promise<RunPlan> {
    const { space } = await this.rpc.call(locateWorkflow, { workflow: params.id }, context.envelope);
    context.requireSpaceRole(space, `Workflow ${params.id}`);
    const request = await this.requests.read(context, params.id, body);
    const general = await this.problems.findGeneral(context.caller.vault);
    const loaded = await this.load(context, request);
    if ('problems' in loaded) {
      const estimate = { duration_ms: null, execution_units: null, without_estimate: [] };
      const nothing = { steps: [], steps_omitted: 0, parallelism: null, estimate };
      return { workflow: params.id, version: null, ...summarize([...loaded.problems, ...general]), ...nothing };
    }
    const { inputs, problems } = await this.problems.resolveInputs(context, loaded, request);
    const { fleets } = await this.workers.readFleets();
    const parallelism = request.parallelism ?? defaultParallelism(loaded.plan, sumSlots(fleets));
    // Without any worker, one problem says so.
    const unplaced = sumSlots(fleets) === 0 ? [] : findUnplaced(loaded.plan, fleets);
    const { workflow, version } = loaded;
    return {
      ...{ workflow: workflow.id, version },
      ...summarize([...problems, ...unplaced, ...general]),
      ...(await this.planSteps({ ...loaded, inputs }, request, context.caller.vault, parallelism)),
      parallelism,
    };
  }

  private async load(
    context: Context,
    request: RunRequest,
  ): Promise<(RunnableVersion & { repeated: string[] }) | { problems: PlanProblem[] }> {
    try {
      return await this.starter.load(context, request);
    } catch (error) {
      const problems = error instanceof InvalidParametersError ? null : toWorkflowProblems(error);
      if (problems === null) throw error;
      return { problems };
    }
  }

  private async planSteps(
    { plan, workflow, inputs, repeated }: RunnableVersion & Pick<PlannedRun, 'inputs'> & { repeated: string[] },
    { useCache, parent }: RunRequest,
    vault: string,
    parallelism: number,
  ): Promise<Pick<RunPlan, 'steps' | 'steps_omitted' | 'estimate'>> {
    const about = { vault, workflow: workflow.id, steps: plan.plan.steps.length, reused: parent?.run ?? null };
    const runs = await readEarlierRuns(this.database, this.plans, about);
    const [history, results, splits, hasCached] = await Promise.all([
      readHistory(this.database, plan, runs),
      readResults(this.database, workflow.space, plan, runs),
      readSplitCounts(this.database, runs),
      hasCachedResults(this.database, workflow.space),
    ]);
    const planned: PlannedRun = {
      ...{ plan, space: workflow.space, inputs, useCache },
      parent: parent && { run: parent.run, except: [...parent.except, ...repeated] },
    };
    const comparable = runs.filter(({ isChanged }) => !isChanged);
    const forecaster = new CacheForecaster(this.database, planned, { runs: comparable, results, hasCached });
    const counter = new ChildCounter(plan, inputs, forecaster.matcher, { runs: comparable, splits }, this.store);
    const steps = new Map<number, z.input<typeof plannedStep>>();
    for (const step of plan.plan.steps) {
      if (plan.isHidden(step.index)) continue;
      const cache = await forecaster.forecast(step);
      const children = step.scope === null ? 1 : await counter.count(step.scope);
      steps.set(step.index, describeStep(plan, step, { cache, children, history: history.steps.get(step.index) }));
    }
    const estimate = estimateRun(
      plan.plan,
      (index) => {
        const { cache, children, estimate: known } = steps.get(index) ?? {};
        const all = children ?? history.children.get(index) ?? null;
        const executions = cache?.result === 'hit' ? 0 : all === null ? null : all - (cache?.hits ?? 0);
        return { executions, durationMs: known?.duration_ms ?? null, units: known?.execution_units ?? null };
      },
      parallelism,
    );
    const without = estimate.unknown.map((index) => plan.step(index).node);
    return {
      ...limitSteps([...steps.values()]),
      estimate: {
        ...{ duration_ms: estimate.durationMs, execution_units: estimate.units },
        without_estimate: without.slice(0, MAX_NAMED),
      },
    };
  }
}

const summarize = (problems: PlanProblem[]): Pick<RunPlan, 'problems' | 'can_start'> => ({
  problems,
  can_start: problems.every(({ severity }) => severity !== 'error'),
});
