import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { MAX_WINDOW_MS } from '../limits/limit.js';

const INTERVAL_MS = 5 * 60_000;
/** How long an expired session is kept, so that its refresh token is reported as expired instead of unknown. */
const EXPIRED_SESSION_RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes expired records: attempts outside all limit windows, links, codes, and long expired sessions. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of expired records', INTERVAL_MS, () => this.deleteExpired());

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async deleteExpired(): Promise<void> {
    const { session, countedAttempt, deviceGrant, passwordReset, signInTicket } = this.database.client;
    const expired = { where: { expiresAt: { lt: new Date() } } };
    await deviceGrant.deleteMany(expired);
    await passwordReset.deleteMany(expired);
    await signInTicket.deleteMany(expired);
    await countedAttempt.deleteMany({ where: { at: { lt: new Date(Date.now() - MAX_WINDOW_MS) } } });
    await session.deleteMany({ where: { expiresAt: { lt: new Date(Date.now() - EXPIRED_SESSION_RETENTION_MS) } } });
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
