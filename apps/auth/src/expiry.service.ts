import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { SIGN_IN_WINDOW_MS } from './sign-in/sign-in-limits.js';

const EVERY_MS = 5 * 60_000;
/** So long a refresh token that came too late is told so, and is not merely unknown. */
const KEEP_SESSIONS_MS = 30 * 24 * 3_600_000;

/** Deletes what time has made meaningless: sign-in failures out of their window, sessions long over. */
@Injectable()
export class ExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ExpiryService.name);
  private timer?: NodeJS.Timeout;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.deleteExpired().catch((error: unknown) => this.logger.warn({ message: 'Expiry waits', error }));
    }, EVERY_MS);
  }

  async deleteExpired(): Promise<void> {
    const { session, signInFailure } = this.database.client;
    await signInFailure.deleteMany({ where: { at: { lt: new Date(Date.now() - SIGN_IN_WINDOW_MS) } } });
    await session.deleteMany({ where: { expiresAt: { lt: new Date(Date.now() - KEEP_SESSIONS_MS) } } });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
