import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';
import { WakeableLoop } from '@millrace/service/loops/wakeable-loop';
import { createCounter } from '@millrace/telemetry/metrics/registry';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';
import { WebhookSender } from '../sending/webhook-sender.js';
import { type ClaimedDelivery, MAX_CONCURRENT_PER_VAULT, claimDeliveries, releaseClaim } from './claim-deliveries.js';
import { settleAttempt } from './settle-attempt.js';
import { WAKE_CHANNEL } from './wake-webhooks.js';

const deliveries = createCounter(
  'millrace_webhook_deliveries_total',
  'Attempts to deliver webhook messages by outcome',
  ['outcome'],
);

for (const outcome of ['delivered', 'retried', 'failed']) deliveries.inc({ outcome }, 0);

/** Attempts that one process has in flight. They mostly wait for receivers, and cost a socket each. */
const MAX_CONCURRENT_ATTEMPTS = 256;
/** Pause if deliveries are due but another process has locked their webhooks. */
const MIN_SLEEP_MS = 50;

/**
 * Sends webhook deliveries when they are due. Each process has one dispatcher. It sleeps until the next delivery is due, by
 * the clock of Postgres, and is woken when a delivery is added or an attempt has ended.
 */
@Injectable()
export class WebhookDispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookDispatcherService.name);
  private readonly listener: PgListener;
  private readonly inFlight = new Map<Promise<void>, ClaimedDelivery>();
  /** Twice the timeout of an attempt. */
  private readonly leaseSeconds: number;
  private readonly shutdown = new AbortController();
  private readonly loop = new WakeableLoop('Webhook dispatch', () => this.claimDue(), this.logger);

  constructor(
    private readonly database: Database,
    private readonly sender: WebhookSender,
    @Inject(NOTIFICATIONS_ENV) { WEBHOOK_TIMEOUT_SECONDS }: NotificationsEnv,
  ) {
    this.leaseSeconds = 2 * WEBHOOK_TIMEOUT_SECONDS;
    const wake = () => this.loop.wake();
    this.listener = database.createListener(WAKE_CHANNEL, { onNotification: wake, onConnect: wake });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.open();
    this.loop.start();
  }

  /** @returns milliseconds until the next delivery is due */
  private async claimDue(): Promise<number> {
    const limit = MAX_CONCURRENT_ATTEMPTS - this.inFlight.size;
    if (limit === 0) return Infinity;
    const load = this.measureLoad();
    const [next] = await this.database.client.$queryRaw<{ dueInMs: number | null }[]>`
      SELECT extract(epoch FROM min(wake_at) - clock_timestamp())::float8 * 1000 AS "dueInMs"
      FROM notifications.webhook WHERE wake_at IS NOT NULL AND id <> ALL(${load.saturated}::uuid[])`;
    const dueInMs = next?.dueInMs ?? Infinity;
    if (dueInMs > 0) return dueInMs + 1;
    const claims = await this.database.transaction((tx) =>
      claimDeliveries(tx, { limit, leaseSeconds: this.leaseSeconds }, load),
    );
    for (const claim of claims) this.start(claim);
    return claims.length > 0 ? 0 : MIN_SLEEP_MS;
  }

  /** Counts the deliveries in flight per vault and webhook, and lists the webhooks that get no more for now. */
  private measureLoad(): { inFlight: Map<string, number>; saturated: string[] } {
    const claims = [...this.inFlight.values()];
    const inFlight = new Map<string, number>();
    for (const id of claims.flatMap(({ vault, webhook }) => [vault, webhook]))
      inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
    const atLimit = claims.filter(({ vault }) => (inFlight.get(vault) ?? 0) >= MAX_CONCURRENT_PER_VAULT);
    return { inFlight, saturated: [...new Set(atLimit.map(({ webhook }) => webhook))] };
  }

  private start(claim: ClaimedDelivery): void {
    const delivering = this.deliver(claim)
      // The outcome is not stored, so the delivery is claimed again when its lease ends.
      .catch((error: unknown) =>
        this.logger.warn({
          message: 'Webhook delivery not settled; it is retried when its lease ends',
          delivery: claim.id,
          error,
        }),
      )
      .finally(() => {
        this.inFlight.delete(delivering);
        this.loop.wake();
      });
    this.inFlight.set(delivering, claim);
  }

  private async deliver(claim: ClaimedDelivery): Promise<void> {
    const attempt = await this.sender.send(claim, this.shutdown.signal);
    const outcome = await this.database.transaction(async (tx) => {
      if (attempt) return settleAttempt(tx, claim, attempt);
      await releaseClaim(tx, claim);
      return null;
    });
    if (outcome !== null) deliveries.inc({ outcome });
  }

  /** Aborts the attempts in flight, because a slow receiver could take longer than the shutdown may. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.loop.stop();
    await Promise.all(this.inFlight.keys());
    await this.listener.close();
  }
}
