import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { DeviceGrant } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { hashSecret } from '../secrets/hash-secret.js';
import { makeLetterCode, readLetterCode } from '../secrets/letter-code.js';
import { randomSecret } from '../secrets/random-token.js';

export const GRANT_SECONDS = 600;
export const POLL_SECONDS = 5;
/** So much the interval grows for a client that does not keep to it (RFC 8628, 3.5). */
const SLOWER_SECONDS = 5;
/** A poll that comes early by this much is not one too fast: networks do not deliver evenly. */
const JITTER_MS = 250;
/** 34 bits (RFC 8628, 6.1), of which a user may try five wrong ones within 15 minutes. */
const USER_CODE_LETTERS = 8;

/** What a client that polls is told, but for the credentials themselves. */
export type Poll = { state: 'pending' | 'denied' | 'expired' } | { state: 'hasty'; interval: number };

/** Device grants (RFC 8628): a client shows a user code and polls with a device code, both kept as hashes. */
@Injectable()
export class DeviceGrants {
  private readonly userCodes: KeyedHash;

  constructor(
    private readonly database: Database,
    @Inject(AUTH_ENV) env: AuthEnv,
  ) {
    this.userCodes = new KeyedHash(env.MILLRACE_SECRET, 'device user codes');
  }

  async create(
    tx: Transaction,
    from: Pick<DeviceGrant, 'client' | 'address' | 'agent'>,
  ): Promise<{ deviceCode: string; userCode: string }> {
    const codes = { deviceCode: randomSecret(), userCode: makeLetterCode(USER_CODE_LETTERS) };
    await tx.deviceGrant.create({
      data: {
        id: newId(),
        deviceHash: hashSecret(codes.deviceCode),
        userCodeHash: this.hashUserCode(codes.userCode),
        interval: POLL_SECONDS,
        expiresAt: new Date(Date.now() + GRANT_SECONDS * 1000),
        ...from,
      },
    });
    return codes;
  }

  /** What waits behind a user code; null where nothing does. */
  find(userCode: string): Promise<DeviceGrant | null> {
    return this.database.client.deviceGrant.findFirst({ where: this.waiting(userCode) });
  }

  /** @returns what was decided on; undefined where nothing waits behind the code, any more */
  async decide(
    tx: Transaction,
    userCode: string,
    decision: { status: 'approved' | 'denied'; userId: string },
  ): Promise<DeviceGrant | undefined> {
    const [grant] = await tx.deviceGrant.updateManyAndReturn({ where: this.waiting(userCode), data: decision });
    return grant;
  }

  /** Who approved what the client asks for, and has not been redeemed yet. */
  async findApprover(tx: Transaction, deviceCode: string, client: string): Promise<string | null> {
    const grant = await tx.deviceGrant.findFirst({ where: approved(deviceCode, client) });
    return grant?.userId ?? null;
  }

  /** Uses an approved grant up: of two who poll at once one gets it. */
  async redeem(tx: Transaction, deviceCode: string, client: string): Promise<DeviceGrant | undefined> {
    const [grant] = await tx.deviceGrant.updateManyAndReturn({
      where: approved(deviceCode, client),
      data: { status: 'redeemed' },
    });
    return grant;
  }

  /**
   * Notes that a client polled in vain, and finds out what it is to be told. Outside of any transaction, for what is
   * noted must last though the answer is an error.
   */
  async notePoll(deviceCode: string, client: string): Promise<Poll> {
    const [noted] = await this.database.client.$queryRaw<{ hasty: boolean; interval: number }[]>`
      WITH asked AS (
        SELECT id, coalesce(
          polled_at > now() - "interval" * interval '1 second' + ${JITTER_MS}::int * interval '1 ms', false) AS hasty
        FROM auth.device_grant
        WHERE device_hash = ${hashSecret(deviceCode)} AND client = ${client} AND status = 'pending' AND expires_at > now()
        FOR UPDATE)
      UPDATE auth.device_grant g
      SET polled_at = now(), "interval" = g."interval" + CASE WHEN asked.hasty THEN ${SLOWER_SECONDS}::int ELSE 0 END
      FROM asked WHERE g.id = asked.id
      RETURNING asked.hasty, g."interval"`;
    if (noted) return noted.hasty ? { state: 'hasty', interval: noted.interval } : { state: 'pending' };
    const grant = await this.database.client.deviceGrant.findFirst({ where: ofClient(deviceCode, client) });
    if (grant?.status === 'denied') return { state: 'denied' };
    // Approved since it was looked for: the next poll gets it.
    return { state: grant?.status === 'approved' ? 'pending' : 'expired' };
  }

  private waiting(userCode: string) {
    return { userCodeHash: this.hashUserCode(userCode), status: 'pending', expiresAt: { gt: new Date() } };
  }

  private hashUserCode(userCode: string): string {
    return this.userCodes.hash(readLetterCode(userCode));
  }
}

const ofClient = (deviceCode: string, client: string) => ({
  deviceHash: hashSecret(deviceCode),
  client,
  expiresAt: { gt: new Date() },
});

const approved = (deviceCode: string, client: string) => ({ ...ofClient(deviceCode, client), status: 'approved' });
