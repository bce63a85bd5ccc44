import { Controller } from '@nestjs/common';
import { describeVault } from '@millrace/contracts/auth/vaults';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { openVariables } from '@millrace/contracts/runs/engine';
import { revealSecrets } from '@millrace/contracts/workflows/secrets';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { PlanStore } from '../engine/plans/plan-store.js';
import { claimDispatch } from './claim-dispatch.js';
import { parseWorkerBody } from './parse-worker-body.js';

type Unlocked = Result<typeof openVariables>;

/** Services that restart are waited for so long. */
const PATIENCE = { timeoutMs: 20_000, retryForMs: 15_000 };

/**
 * Lets a worker have the variables of what it runs. What they are, and whose, is read from the run and its plan: a worker
 * runs other people's code, and is believed in nothing but which dispatch it means.
 */
@Controller()
export class VariablesController {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(openVariables)
  async unlock({ body }: Input<typeof openVariables>, context: Context): Promise<Unlocked> {
    const { worker, dispatch, recipient } = parseWorkerBody(openVariables, body);
    const run = await claimDispatch(this.database, dispatch, worker);
    const { variables, secrets } = await this.plans.load(run.plan);
    const plain = await this.describe(
      run,
      variables.flatMap(({ names }) => names),
      context,
    );
    if (secrets === null) return { sealed: '', missing: [], plain };
    const place = { run: String(run.id), vault: run.vaultId, space: run.spaceId, user: run.author };
    const request = { ...place, ...secrets, recipient };
    return { ...(await this.rpc.call(revealSecrets, request, nobody(context), PATIENCE)), plain };
  }

  private async describe(run: Run, names: readonly string[], context: Context): Promise<Record<string, string>> {
    const plain: Record<string, string> = {};
    if (names.includes('USER_ID')) plain['USER_ID'] = run.author;
    if (names.includes('RUN_ID')) plain['RUN_ID'] = String(run.id);
    if (names.includes('VAULT_NAME')) {
      const vault = await this.rpc.call(describeVault, { vault: run.vaultId }, nobody(context), PATIENCE);
      plain['VAULT_NAME'] = vault.name;
    }
    return plain;
  }
}

const nobody = ({ requestId }: Context) => ({ caller: null, requestId });
