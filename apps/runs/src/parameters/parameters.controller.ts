import { Controller } from '@nestjs/common';
import { NotFoundError, UnavailableError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { setParameters } from '@millrace/contracts/runs/parameters';
import type { RunPart } from '@millrace/contracts/runs/run-record';
import { mergeParams, type ParamValues } from '@millrace/graph/params/set-params';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { changeParameters, type ParameterChange } from '../engine/parameters/change-parameters.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { VersionCache } from '../launch/version-cache.js';
import { findRun } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { publishControl } from '../runs/publish-control.js';
import { toRun } from '../runs/to-run.js';
import { ChangedInputs } from './changed-inputs.js';
import { CHANGE_FIELD, compileChange } from './compile-change.js';
import { requireStorable } from './invalid-parameters-error.js';
import { requireVariables } from './require-variables.js';
import { toParameters, type StoredParameters } from './to-parameters.js';

/** Parameters that an entry of the audit log names. */
const MAX_AUDITED = 100;
/** Another change of the same run came in between. */
const MAX_TRIES = 5;

type Values = Input<typeof setParameters>['body']['nodes'];

/** Changes parameters of runs. The plan is compiled before the run is locked, because that may take long. */
@Controller()
export class ParametersController {
  constructor(
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
    private readonly plans: PlanStore,
    private readonly versions: VersionCache,
    private readonly inputs: ChangedInputs,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(setParameters)
  async set({ params, body }: Input<typeof setParameters>, context: Context): Promise<Result<typeof setParameters>> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const run = await findRun(this.database, context, params.id);
      const change = await this.prepare(run, body.nodes, context);
      if (await this.apply(run, change, body.nodes, context)) {
        const changed = await this.database.client.run.findUniqueOrThrow({ where: { id: run.id } });
        return { ...toRun(changed), ...toParameters(changed) };
      }
    }
    throw new UnavailableError(`Other requests change the parameters of run ${params.id} at the same time.`);
  }

  private async prepare(run: Run, values: Values, context: Context): Promise<ParameterChange> {
    const former = (run.parameters as StoredParameters | null) ?? {};
    const merged = mergeParams(former, values);
    requireStorable(CHANGE_FIELD, merged, ', together with the parameters that were changed before');
    const part = run.part as unknown as RunPart | null;
    const version = await this.versions.loadData(context, run.workflowId, run.versionId, part);
    const { plan } = await loadPlan(this.plans, run);
    const changed = compileChange(version, { run: run.id, plan, former, merged });
    const inputs = await this.inputs.resolve(context, version, run, changed);
    const index = await this.plans.save(changed.plan);
    await requireVariables(this.rpc, context, { ...run, inputs: { ...(run.inputs as object), ...inputs } }, index);
    return { plan: index, steps: changed.steps, inputs, parameters: merged };
  }

  /** @returns false if the run has another plan by now */
  private apply(run: Run, change: ParameterChange, values: ParamValues, context: Context): Promise<boolean> {
    return this.dispatcher.change({
      lock: { ids: [run.id] },
      change: async (tx, runs) => {
        const locked = runs.get(run.id);
        if (!locked) throw new NotFoundError(`Run ${run.id}`);
        if (locked.row.plan !== run.plan) return false;
        await changeParameters(tx, locked, change);
        publishControl(tx, run, context, { action: 'run.parameters_changed', details: describe(values) });
        return true;
      },
    });
  }
}

/** Names only: a value may be confidential. */
function describe(values: ParamValues): { parameters: string[]; more?: number } {
  const names = Object.entries(values).flatMap(([node, params]) =>
    Object.keys(params).map((name) => `${node}.${name}`),
  );
  const more = names.length - MAX_AUDITED;
  return { parameters: names.slice(0, MAX_AUDITED), ...(more > 0 && { more }) };
}
