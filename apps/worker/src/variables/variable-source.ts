import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type unlockVariables } from '@millrace/contracts/runs/engine';
import { type Plan } from '@millrace/graph/plan';
import { planVariables } from '@millrace/graph/plan-variables';
import { createRecipient } from '@millrace/messaging/sealed-box';
import { NO_VARIABLES, runVariables, withheld, type RunVariables } from './run-variables.js';

/** Asks for the variables of a dispatch, sealed to a public key. */
export type UnlockVariables = (
  dispatch: string,
  recipient: string,
) => Promise<z.output<typeof unlockVariables.response>>;

/** Values stay in memory for so long at most after they came, however many dispatches of the run follow. */
const KEEP_MS = 60_000;
/** Of all runs together, in bytes. What is larger by itself is asked for anew by each dispatch. */
const MOST_BYTES = 128 * 1024 * 1024;

const opened = z.record(z.string(), z.string());

/** Where steps get their variables from: from the runs service, to a key that only this process has. */
export class VariableSource {
  private readonly recipient = createRecipient();
  private readonly named = new WeakMap<Plan, readonly string[]>();
  private readonly known = new LRUCache<string, RunVariables>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ masker }) => 1024 + (masker?.bytes ?? 0),
    ttl: KEEP_MS,
    ttlAutopurge: true,
  });

  constructor(private readonly unlock: UnlockVariables) {}

  /**
   * Asks nobody where the plan names none.
   * @throws ApiError `not_found` where the dispatch is not this worker's any more
   */
  async of({ run, dispatch }: Pick<DispatchPayload, 'run' | 'dispatch'>, plan: Plan): Promise<RunVariables> {
    if (this.namesOf(plan).length === 0) return NO_VARIABLES;
    const known = this.known.get(run);
    if (known) return known;
    try {
      const { sealed, plain } = await this.unlock(dispatch, this.recipient.publicKey);
      const secrets = sealed === '' ? {} : opened.parse(JSON.parse(this.recipient.open(sealed)));
      const variables = runVariables(new Map(Object.entries(secrets)), new Map(Object.entries(plain)));
      this.known.set(run, variables);
      return variables;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') throw error;
      return withheld(error instanceof ApiError ? error.message : 'they cannot be read');
    }
  }

  private namesOf(plan: Plan): readonly string[] {
    const known = this.named.get(plan) ?? planVariables(plan);
    this.named.set(plan, known);
    return known;
  }
}
