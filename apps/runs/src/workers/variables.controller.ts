import { Controller } from '@nestjs/common';
import { describeVault } from '@millrace/contracts/auth/vaults';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { openVariables } from '@millrace/contracts/runs/engine';
import { BUILT_IN_VARIABLES, revealSecrets } from '@millrace/contracts/workflows/secrets';
import { listSecretVariables, mergeVariables } from '@millrace/graph/variables/list-plan-variables';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { PlanStore } from '../engine/plans/plan-store.js';
import { claimDispatch, parseWorkerBody, type DispatchedRun } from './worker-requests.js';

type OpenedVariables = Result<typeof openVariables>;

/** Long enough for a service to restart. */
const CALL_OPTIONS = { timeoutMs: 20_000, retryForMs: 15_000 };

/**
 * Sends a worker the values of the variables that its dispatch needs. The run and its plan determine the variables and their
 * owner. A worker runs users' code, so its request only names the dispatch.
 */
@Controller()
export class VariablesController {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(openVariables)
  async open({ body }: Input<typeof openVariables>, context: Context): Promise<OpenedVariables> {
    const { worker, dispatch, recipient } = parseWorkerBody(openVariables, body);
    const run = await claimDispatch(this.database, dispatch, worker);
    const { variables, secrets } = await this.listVariables(run);
    const plain = await this.readBuiltIn(
      run,
      variables.flatMap(({ names }) => names),
      context,
    );
    if (secrets === null) return { sealed: '', missing: [], plain };
    // Users repair a run after they have corrected a variable, so each repair takes the present values.
    const values = run.repairs > 0 ? `${run.id}.${run.repairs}` : String(run.id);
    const place = { run: values, vault: run.vaultId, space: run.spaceId, user: run.author };
    const request = { ...place, ...secrets, recipient };
    return { ...(await this.rpc.call(revealSecrets, request, withoutCaller(context), CALL_OPTIONS)), plain };
  }

  /**
   * The variables of the run's plan and of the dispatch's. Both, because a later dispatch gets the values that are stored
   * now, also if a change of parameters has left only the former plan with a name.
   */
  private async listVariables({ plan, dispatchedPlan }: DispatchedRun) {
    const current = await this.plans.load(plan);
    if (dispatchedPlan === plan) return current;
    const former = await this.plans.load(dispatchedPlan);
    const variables = mergeVariables(current.variables, former.variables);
    const { names, modules } = listSecretVariables(variables, BUILT_IN_VARIABLES);
    return { variables, secrets: names.length + modules.length > 0 ? { names, modules } : null };
  }

  private async readBuiltIn(run: Run, names: readonly string[], context: Context): Promise<Record<string, string>> {
    const plain: Record<string, string> = {};
    if (names.includes('USER_ID')) plain['USER_ID'] = run.author;
    if (names.includes('RUN_ID')) plain['RUN_ID'] = String(run.id);
    if (names.includes('VAULT_NAME')) {
      const vault = await this.rpc.call(describeVault, { vault: run.vaultId }, withoutCaller(context), CALL_OPTIONS);
      plain['VAULT_NAME'] = vault.name;
    }
    return plain;
  }
}

const withoutCaller = ({ requestId }: Context) => ({ caller: null, requestId });
