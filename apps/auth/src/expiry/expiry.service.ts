import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { MAX_WINDOW_MS } from '../limits/limit.js';

const EVERY_MS = 5 * 60_000;
/** So long a refresh token that came too late is told so, and is not merely unknown. */
const KEEP_SESSIONS_MS = 30 * 24 * 3_600_000;

/** Deletes what time has made meaningless: failures out of every window, links and codes that are over, sessions long over. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly turns = new IntervalLoop('Deletion of expired records', EVERY_MS, () => this.deleteExpired());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  async deleteExpired(): Promise<void> {
    const { session, countedTry, deviceGrant, passwordReset, signInTicket } = this.database.client;
    const over = { where: { expiresAt: { lt: new Date() } } };
    await deviceGrant.deleteMany(over);
    await passwordReset.deleteMany(over);
    await signInTicket.deleteMany(over);
    await countedTry.deleteMany({ where: { at: { lt: new Date(Date.now() - MAX_WINDOW_MS) } } });
    await session.deleteMany({ where: { expiresAt: { lt: new Date(Date.now() - KEEP_SESSIONS_MS) } } });
  }

  onApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }
}
