import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { Database } from '@millrace/persistence/database';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';

/**
 * Addresses that receive no more notification mails because a mail server rejected them: mailing to such addresses makes
 * the sender look like a spammer. Stored as keyed hashes, which suffice to recognize the same address.
 */
@Injectable()
export class PausedAddressesService {
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

  /** @param reason the codes of the server's response, without its text */
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
