import { Inject, Injectable } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import type { createRun } from '@millrace/contracts/runs/runs';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Plan } from '@millrace/graph/plan/plan';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { OBJECT_STORE } from '../object-store.js';
import { PARAMETERS_FIELD } from '../parameters/compile-with-parameters.js';
import { requireStorable } from '../parameters/invalid-parameters-error.js';
import { findRun } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { mergeInputs } from '../runs/repeat-with-changes.js';
import type { RunRequest } from './run-starter.js';

/** Reads the requests of users to start a run, or to plan one. */
@Injectable()
export class RunRequests {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly rpc: RpcClient,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /**
   * @throws ValidationError
   * @throws NotFoundError for an earlier run that the caller may not see
   * @throws ForbiddenError for parameters, which only users who may edit the workflow set
   */
  async read(context: Context, workflow: string, body: Input<typeof createRun>['body']): Promise<RunRequest> {
    const { part, parameters, reuse_run } = body;
    if (part?.from && part.from.length > 0 && reuse_run === undefined) {
      throw new ValidationError({
        'body.part.from': 'needs `reuse_run`, an earlier run that has the results of the nodes before',
      });
    }
    if (parameters !== undefined) {
      const { space } = await this.rpc.call(locateWorkflow, { workflow }, context.envelope);
      context.requireSpaceRole(space, `Workflow ${workflow}`, 'space.edit');
      requireStorable(PARAMETERS_FIELD, parameters);
    }
    const former = reuse_run === undefined ? null : await this.findReused(context, workflow, reuse_run);
    return {
      workflow,
      version: body.version_id,
      ...(former
        ? await mergeInputs(former.run, former.plan, body.inputs ?? {}, this.store)
        : { inputs: body.inputs ?? {} }),
      creationType: context.caller.credential === 'token' ? 'API' : 'MANUAL',
      parallelism: body.parallelism,
      useCache: body.use_cache,
      name: body.name,
      timeoutSeconds: body.timeout_seconds,
      origin: null,
      schedule: null,
      parent: former ? { run: former.run.id, except: [] } : undefined,
      part,
      parameters,
    };
  }

  /** Finds the run whose results a new run of the same workflow takes over. */
  private async findReused(context: Context, workflow: string, id: string): Promise<{ run: Run; plan: Plan }> {
    const run = await findRun(this.database, context, id);
    if (run.workflowId !== workflow) {
      throw new ValidationError({ 'body.reuse_run': `names run ${id}, which is a run of another workflow` });
    }
    return { run, plan: (await loadPlan(this.plans, run)).plan };
  }
}
