import { Injectable } from '@nestjs/common';
import { maskSecrets } from '@millrace/contracts/workflows/secrets';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { ShownInputs } from './to-inputs.js';

type Values = Record<string, string | boolean>;

/** The place and the author of a run. */
interface Owner {
  vault: string;
  space: string;
  user: string;
}

/** The workflows service restarts within this time. */
const RESTART_TIMEOUT_MS = 3_000;

/** Masks the values of secret variables in the inputs of runs. It masks only variables that the workflow uses. */
@Injectable()
export class InputMasker {
  constructor(private readonly rpc: RpcClient) {}

  /**
   * Makes the inputs of a new run as users will see them. Later changes of the variables do not change them.
   * @param contents keys of inputs whose content comes with the request
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

  /** Masks the inputs of a run without recorded shown inputs, except defaults. */
  async maskStored(run: Run, plan: PlanIndex, context: Context): Promise<Run> {
    if (run.shownInputs !== null) return run;
    const inputs = run.inputs as Record<string, unknown>;
    const changed = Object.entries(inputs).filter(([id, value]) => value !== plan.plan.primitives[id]?.value);
    const texts = Object.fromEntries(changed.filter(([, value]) => typeof value === 'string')) as Values;
    const owner = { vault: run.vaultId, space: run.spaceId, user: run.author };
    const masks = await this.findMasks(texts, plan, owner, context);
    return { ...run, inputs: { ...inputs, ...Object.fromEntries(masks) } as Run['inputs'] };
  }

  /** The masked texts of values that contain a secret, by key. */
  private async findMasks(
    values: Values,
    plan: PlanIndex,
    owner: Owner,
    { caller, requestId }: Context,
  ): Promise<Map<string, string>> {
    const texts = Object.entries(values).flatMap(([key, value]) => (mayContainSecret(value) ? [{ key, value }] : []));
    if (texts.length === 0 || plan.secrets === null) return new Map();
    const body = { ...owner, ...plan.secrets, texts: texts.map(({ value }) => value) };
    const response = await this.rpc.call(maskSecrets, body, { caller, requestId }, { retryForMs: RESTART_TIMEOUT_MS });
    return new Map(
      texts.flatMap(({ key }, index) => {
        const masked = response.texts[index];
        return typeof masked === 'string' ? [[key, masked] as const] : [];
      }),
    );
  }
}

/** A reference to a stored file is an id or a path, which contains no secret. */
const mayContainSecret = (value: string | boolean): value is string =>
  typeof value === 'string' && value !== '' && !value.startsWith('millrace://');
