import { Inject, Injectable } from '@nestjs/common';
import { KeyedHash } from '@millrace/messaging/crypto/keyed-hash';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { DeviceGrant } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { makeLetterCode, readLetterCode } from '../secrets/letter-code.js';
import { hashSecret, randomSecret } from '../secrets/random-token.js';

export const GRANT_SECONDS = 600;
export const POLL_SECONDS = 5;
/** Added to the interval of a client that polls too fast (RFC 8628, 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** A poll may be early by this much, because network delays vary. */
const POLL_TOLERANCE_MS = 250;
/** 34 bits (RFC 8628, 6.1). A user may enter five wrong codes within 15 minutes. */
const USER_CODE_LETTERS = 8;

/** The state that a polling client receives, without credentials. */
export type Poll = { state: 'pending' | 'denied' | 'expired' } | { state: 'too_fast'; interval: number };

/** Device grants (RFC 8628): a client shows a user code and polls with a device code. Both are stored as hashes. */
@Injectable()
export class DeviceGrantsService {
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

  /** @returns the pending grant of a user code; null if there is none */
  find(userCode: string): Promise<DeviceGrant | null> {
    return this.database.client.deviceGrant.findFirst({ where: this.pendingGrant(userCode) });
  }

  /** @returns the decided grant; undefined if the code has no pending grant */
  async decide(
    tx: Transaction,
    userCode: string,
    decision: { status: 'approved' | 'denied'; userId: string },
  ): Promise<DeviceGrant | undefined> {
    const [grant] = await tx.deviceGrant.updateManyAndReturn({ where: this.pendingGrant(userCode), data: decision });
    return grant;
  }

  /** @returns the user who approved the grant; null if it is not approved or was already redeemed */
  async findApprover(tx: Transaction, deviceCode: string, client: string): Promise<string | null> {
    const grant = await tx.deviceGrant.findFirst({ where: approved(deviceCode, client) });
    return grant?.userId ?? null;
  }

  /** Redeems an approved grant. Only one of several concurrent polls receives it. */
  async redeem(tx: Transaction, deviceCode: string, client: string): Promise<DeviceGrant | undefined> {
    const [grant] = await tx.deviceGrant.updateManyAndReturn({
      where: approved(deviceCode, client),
      data: { status: 'redeemed' },
    });
    return grant;
  }

  /**
   * Records an unsuccessful poll and returns the state for the client. Runs outside any transaction, because the record must
   * persist although the response is an error.
   */
  async recordPoll(deviceCode: string, client: string): Promise<Poll> {
    const [recorded] = await this.database.client.$queryRaw<{ too_fast: boolean; interval: number }[]>`
      WITH polled AS (
        SELECT id, coalesce(
          polled_at > now() - "interval" * interval '1 second' + ${POLL_TOLERANCE_MS}::int * interval '1 ms', false) AS too_fast
        FROM auth.device_grant
        WHERE device_hash = ${hashSecret(deviceCode)} AND client = ${client} AND status = 'pending' AND expires_at > now()
        FOR UPDATE)
      UPDATE auth.device_grant g
      SET polled_at = now(), "interval" = g."interval" + CASE WHEN polled.too_fast THEN ${SLOW_DOWN_SECONDS}::int ELSE 0 END
      FROM polled WHERE g.id = polled.id
      RETURNING polled.too_fast, g."interval"`;
    if (recorded) return recorded.too_fast ? { state: 'too_fast', interval: recorded.interval } : { state: 'pending' };
    const grant = await this.database.client.deviceGrant.findFirst({ where: ofClient(deviceCode, client) });
    if (grant?.status === 'denied') return { state: 'denied' };
    // A grant that was approved in the meantime is redeemed by the next poll.
    return { state: grant?.status === 'approved' ? 'pending' : 'expired' };
  }

  private pendingGrant(userCode: string) {
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
