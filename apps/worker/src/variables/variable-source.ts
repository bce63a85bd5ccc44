import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type openVariables } from '@millrace/contracts/runs/engine';
import { type Plan } from '@millrace/graph/plan/plan';
import { listPlanVariables } from '@millrace/graph/variables/list-plan-variables';
import { createRecipient } from '@millrace/messaging/crypto/sealed-box';
import { NO_VARIABLES, createRunVariables, withheld, type RunVariables } from './run-variables.js';

/** Asks for the variables of a dispatch, sealed to a public key. */
export type OpenVariables = (dispatch: string, recipient: string) => Promise<z.output<typeof openVariables.response>>;

/** Values stay in memory for so long at most after the last dispatch that needed them. */
const IDLE_TTL_MS = 60_000;
/** Of all runs that nothing is out of, in bytes; one has 16 MiB at most. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Services that are not there, or in trouble, are asked again for so long. */
const TIMEOUT_MS = 120_000;
const PAUSE_MS = 1_000;

/** With names of their own alone, so that what objects have by birth is no variable. */
const opened = z.record(z.string(), z.string());

interface Held {
  variables: RunVariables;
  dispatches: number;
}

/** Where steps get their variables from: from the runs service, to a key that only this process has. */
export class VariableSource {
  private readonly recipient = createRecipient();
  private readonly named = new WeakMap<Plan, boolean>();
  /** Of runs of which dispatches are out: one masker for all of them. */
  private readonly held = new Map<string, Held>();
  private readonly idle = new LRUCache<string, RunVariables>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ masker }) => 1024 + (masker?.bytes ?? 0),
    ttl: IDLE_TTL_MS,
    ttlAutopurge: true,
  });

  constructor(
    private readonly unlock: OpenVariables,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * Calls `use` with the variables of the run. Sends no request if the plan names none.
   * @param hasWaitingTasks whether a task still waits for the variables; if not, unavailable services are not retried
   * @throws ApiError `not_found` if the dispatch no longer belongs to this worker
   */
  async lend(
    { run, dispatch }: Pick<DispatchPayload, 'run' | 'dispatch'>,
    plan: Plan,
    hasWaitingTasks: () => boolean,
    use: (variables: RunVariables) => Promise<void>,
  ): Promise<void> {
    if (!this.namesAny(plan)) return use(NO_VARIABLES);
    const variables = this.find(run) ?? (await this.request(run, dispatch, hasWaitingTasks));
    if (variables.withheld !== null) return use(variables);
    const held = this.held.get(run) ?? { variables, dispatches: 0 };
    this.held.set(run, held);
    held.dispatches++;
    try {
      await use(held.variables);
    } finally {
      this.release(run, held);
    }
  }

  private find(run: string): RunVariables | undefined {
    return this.held.get(run)?.variables ?? this.idle.get(run);
  }

  private release(run: string, held: Held): void {
    if (--held.dispatches > 0) return;
    this.held.delete(run);
    this.idle.set(run, held.variables);
  }

  private async request(run: string, dispatch: string, hasWaitingTasks: () => boolean): Promise<RunVariables> {
    const until = Date.now() + this.timeoutMs;
    for (;;) {
      try {
        const { sealed, plain, digests = null } = await this.unlock(dispatch, this.recipient.publicKey);
        const secrets = sealed === '' ? {} : opened.parse(JSON.parse(this.recipient.open(sealed)));
        const [values, visible] = [new Map(Object.entries(secrets)), new Map(Object.entries(plain))];
        return this.find(run) ?? createRunVariables(values, visible, digests);
      } catch (error) {
        if (!(error instanceof ApiError)) return withheld('they cannot be decrypted');
        if (error.code === 'not_found') throw error;
        if (!error.isServerError || Date.now() >= until || !hasWaitingTasks()) return withheld(error.message);
      }
      await sleep(PAUSE_MS);
    }
  }

  private namesAny(plan: Plan): boolean {
    const known = this.named.get(plan) ?? listPlanVariables(plan).length > 0;
    this.named.set(plan, known);
    return known;
  }
}
