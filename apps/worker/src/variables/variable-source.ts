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

/** Requests the variables of a dispatch, sealed to a public key. */
export type OpenVariables = (dispatch: string, recipient: string) => Promise<z.output<typeof openVariables.response>>;

/** How long values stay in memory after the last dispatch that needed them. */
const IDLE_TTL_MS = 60_000;
/** Maximum memory for all idle runs; one run has at most 16 MiB. */
const MAX_IDLE_BYTES = 128 * 1024 * 1024;
/** How long requests to unavailable services are retried. */
const TIMEOUT_MS = 120_000;
const RETRY_INTERVAL_MS = 1_000;

/** Contains own properties only, so that inherited ones are no variables. */
const opened = z.record(z.string(), z.string());

interface LentVariables {
  variables: RunVariables;
  dispatches: number;
}

/** Gets the variables of steps from the runs service, sealed to a key that only this process has. */
export class VariableSource {
  private readonly recipient = createRecipient();
  private readonly named = new WeakMap<Plan, boolean>();
  /** By run and number of its repairs, with running dispatches, which share one masker. */
  private readonly lent = new Map<string, LentVariables>();
  private readonly idle = new LRUCache<string, RunVariables>({
    maxSize: MAX_IDLE_BYTES,
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
    { run: id, repairs = 0, dispatch }: Pick<DispatchPayload, 'run' | 'repairs' | 'dispatch'>,
    plan: Plan,
    hasWaitingTasks: () => boolean,
    use: (variables: RunVariables) => Promise<void>,
  ): Promise<void> {
    if (!this.namesAny(plan)) return use(NO_VARIABLES);
    const run = `${id}.${repairs}`;
    const variables = this.find(run) ?? (await this.request(run, dispatch, hasWaitingTasks));
    if (variables.withheld !== null) return use(variables);
    const entry = this.lent.get(run) ?? { variables, dispatches: 0 };
    this.lent.set(run, entry);
    entry.dispatches++;
    try {
      await use(entry.variables);
    } finally {
      this.release(run, entry);
    }
  }

  private find(run: string): RunVariables | undefined {
    return this.lent.get(run)?.variables ?? this.idle.get(run);
  }

  private release(run: string, entry: LentVariables): void {
    if (--entry.dispatches > 0) return;
    this.lent.delete(run);
    this.idle.set(run, entry.variables);
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
      await sleep(RETRY_INTERVAL_MS);
    }
  }

  private namesAny(plan: Plan): boolean {
    const namesVariables = this.named.get(plan) ?? listPlanVariables(plan).length > 0;
    this.named.set(plan, namesVariables);
    return namesVariables;
  }
}
