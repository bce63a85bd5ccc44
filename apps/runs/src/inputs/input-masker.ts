import { Injectable } from '@nestjs/common';
import { maskSecrets } from '@millrace/contracts/workflows/secrets';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { ShownInputs } from './shown-inputs.js';

type Values = Record<string, string | boolean>;

/** Where a run is, and whose it is. */
interface Owner {
  vault: string;
  space: string;
  user: string;
}

/** The workflows service is back within this time after a restart. */
const TIMEOUT_MS = 3_000;

/** Masks the values of secret variables in the inputs of runs, as far as their workflow takes the variables. */
@Injectable()
export class InputMasker {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * What people will see of the inputs that a run is given now. Later changes of the variables do not change it.
   * @param contents keys of the inputs whose content comes with the request
   */
  async maskGiven(
    given: Values,
    contents: readonly string[],
    plan: PlanIndex,
    owner: Owner,
    context: Context,
  ): Promise<ShownInputs> {
    const masks = await this.findMasks(given, plan, owner, context);
    return {
      given: { ...given, ...Object.fromEntries(masks) },
      masked: [...masks.keys()],
      ...(contents.length > 0 && { contents: [...contents] }),
    };
  }

  /** The inputs of a run from before they were recorded have nothing masked, so this masks what is not a default. */
  async maskStored(run: Run, plan: PlanIndex, context: Context): Promise<Run> {
    if (run.shownInputs !== null) return run;
    const inputs = run.inputs as Record<string, unknown>;
    const own = Object.entries(inputs).filter(([id, value]) => value !== plan.plan.primitives[id]?.value);
    const texts = Object.fromEntries(own.filter(([, value]) => typeof value === 'string')) as Values;
    const owner = { vault: run.vaultId, space: run.spaceId, user: run.author };
    const masks = await this.findMasks(texts, plan, owner, context);
    return { ...run, inputs: { ...inputs, ...Object.fromEntries(masks) } as Run['inputs'] };
  }

  /** Masked texts by key, for those values that contain a secret. */
  private async findMasks(
    values: Values,
    plan: PlanIndex,
    owner: Owner,
    { caller, requestId }: Context,
  ): Promise<Map<string, string>> {
    const texts = Object.entries(values).flatMap(([key, value]) => (canHoldSecret(value) ? [{ key, value }] : []));
    if (texts.length === 0 || plan.secrets === null) return new Map();
    const body = { ...owner, ...plan.secrets, texts: texts.map(({ value }) => value) };
    const answer = await this.rpc.call(maskSecrets, body, { caller, requestId }, { retryForMs: TIMEOUT_MS });
    return new Map(
      texts.flatMap(({ key }, at) => {
        const masked = answer.texts[at];
        return typeof masked === 'string' ? [[key, masked] as const] : [];
      }),
    );
  }
}

/** References to stored files are ids and paths, which have no secrets to hide. */
const canHoldSecret = (value: string | boolean): value is string =>
  typeof value === 'string' && value !== '' && !value.startsWith('millrace://');
