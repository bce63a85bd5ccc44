import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';
import { WakeableLoop } from '@millrace/service/wakeable-loop';
import { Sender } from '../sending/webhook-sender.js';
import { claimDeliveries, PLENTY_OF_A_VAULT, type Claim } from './claim-deliveries.js';
import { releaseClaim } from './release-claim.js';
import { settleAttempt } from './settle-attempt.js';
import { CHANNEL } from './wake-webhooks.js';

/** Attempts that one process has under way. They wait for others most of the time, and cost a socket each. */
const MAX_CONCURRENT = 256;
/** What is due and not to be had is in the hands of another copy. */
const MIN_SLEEP_MS = 50;

/**
 * Delivers messages of webhooks when they are due. Each copy of the service has one and sleeps until the earliest moment, by
 * the clock of Postgres; it is woken where a message is ordered or an attempt has ended.
 */
@Injectable()
export class Courier implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Courier.name);
  private readonly board: PgListener;
  private readonly underWay = new Map<Promise<void>, Claim>();
  private readonly ending = new AbortController();
  private readonly clock = new WakeableLoop('Webhook dispatch', () => this.takeDue(), this.logger);

  constructor(
    private readonly database: Database,
    private readonly sender: Sender,
  ) {
    const wake = () => this.clock.wake();
    this.board = database.createListener(CHANNEL, { onNotification: wake, onConnect: wake });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.board.open();
    this.clock.start();
  }

  /** @returns how long there is nothing to do, in milliseconds */
  private async takeDue(): Promise<number> {
    const room = MAX_CONCURRENT - this.underWay.size;
    if (room === 0) return Infinity;
    const load = this.weigh();
    const [clock] = await this.database.client.$queryRaw<{ ahead: number | null }[]>`
      SELECT extract(epoch FROM min(wake_at) - clock_timestamp())::float8 * 1000 AS ahead
      FROM notifications.webhook WHERE wake_at IS NOT NULL AND id <> ALL(${load.sated}::uuid[])`;
    const ahead = clock?.ahead ?? Infinity;
    if (ahead > 0) return ahead + 1;
    const claims = await this.database.transaction((tx) => claimDeliveries(tx, room, load));
    for (const claim of claims) this.start(claim);
    return claims.length > 0 ? 0 : MIN_SLEEP_MS;
  }

  /** What is under way here by vault and webhook, and which webhooks get no more of it for now. */
  private weigh(): { underWay: Map<string, number>; sated: string[] } {
    const claims = [...this.underWay.values()];
    const underWay = new Map<string, number>();
    for (const id of claims.flatMap(({ vault, webhook }) => [vault, webhook]))
      underWay.set(id, (underWay.get(id) ?? 0) + 1);
    const ofFull = claims.filter(({ vault }) => (underWay.get(vault) ?? 0) >= PLENTY_OF_A_VAULT);
    return { underWay, sated: [...new Set(ofFull.map(({ webhook }) => webhook))] };
  }

  private start(claim: Claim): void {
    const delivering = this.deliver(claim)
      // Nobody settles it: it is taken again when its lease is over.
      .catch((error: unknown) => this.logger.warn({ message: 'A delivery is tried again', delivery: claim.id, error }))
      .finally(() => {
        this.underWay.delete(delivering);
        this.clock.wake();
      });
    this.underWay.set(delivering, claim);
  }

  private async deliver(claim: Claim): Promise<void> {
    const attempt = await this.sender.send(claim, this.ending.signal);
    await this.database.transaction((tx) => (attempt ? settleAttempt(tx, claim, attempt) : releaseClaim(tx, claim)));
  }

  /** Breaks off what is under way, for a receiver may take as long as the process has left. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.clock.stop();
    await Promise.all(this.underWay.keys());
    await this.board.close();
  }
}
