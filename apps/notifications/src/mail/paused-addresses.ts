import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { Database } from '@millrace/persistence/database';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';

/**
 * Addresses to which notifications are not mailed any more, since a mail server said that there is nobody: who goes on
 * writing to such is soon taken for a sender of spam. Kept as keyed hashes, which tell whether it is still the same one.
 */
@Injectable()
export class PausedAddresses {
  private readonly hashes: KeyedHash;

  constructor(
    private readonly database: Database,
    @Inject(NOTIFICATIONS_ENV) env: NotificationsEnv,
  ) {
    this.hashes = new KeyedHash(env.MILLRACE_SECRET, 'paused addresses');
  }

  async isPaused(user: string, address: string): Promise<boolean> {
    const row = await this.database.client.pausedAddress.findUnique({ where: { userId: user } });
    return row?.addressHash === this.hash(address);
  }

  /** @param reason the server's codes, nothing of its words */
  async pause(user: string, address: string, reason: string): Promise<void> {
    const fields = { addressHash: this.hash(address), reason, since: new Date() };
    await this.database.client.pausedAddress.upsert({
      where: { userId: user },
      create: { userId: user, ...fields },
      update: fields,
    });
  }

  private hash(address: string): string {
    return this.hashes.hash(address.toLowerCase());
  }
}
