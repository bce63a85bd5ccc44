import { generateKeyPairSync } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SigningKey } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** Advisory lock under which one copy of the service creates a key while the others wait. */
const KEY_LOCK = 4_220_117;

const DAY_MS = 24 * 3_600_000;
const ROTATION_INTERVAL_MS = 30 * DAY_MS;
/** How long a key is kept after its successor was created. The tokens that it signed expire within the hour. */
const REPLACED_KEY_RETENTION_MS = 31 * DAY_MS;
/** Upper bound until all copies of the service sign with a new key. */
const CHECK_INTERVAL_MS = 30_000;

/**
 * The key pairs that sign session JWTs (ES256, RFC 7518); private keys are stored encrypted. The first is created at the
 * first start, and a new one every 30 days. Gateways request the keys when a token names an unknown one.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, OnApplicationShutdown {
  private readonly rotation = new IntervalLoop('Signing key rotation', CHECK_INTERVAL_MS, () =>
    this.refreshCurrentKey(),
  );
  private readonly cipher: SecretCipher;
  private key?: { kid: string; privateKey: string };

  constructor(
    private readonly database: Database,
    @Inject(AUTH_ENV) env: AuthEnv,
  ) {
    this.cipher = new SecretCipher(env.MILLRACE_SECRET, 'session signing keys');
  }

  async onModuleInit(): Promise<void> {
    await this.refreshCurrentKey();
    this.rotation.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rotation.stop();
  }

  /** The newest key, which signs new tokens. */
  get current(): { kid: string; privateKey: string } {
    if (!this.key) throw new Error('The signing key is used before the module is initialised');
    return this.key;
  }

  /** Public keys (PEM) of all key pairs whose tokens may still be valid. */
  async listPublic(): Promise<{ kid: string; publicKey: string }[]> {
    const rows = await this.database.client.signingKey.findMany({ orderBy: { createdAt: 'asc' } });
    return rows.map(({ id, publicKey }) => ({ kid: id, publicKey }));
  }

  /** Switches to the newest key, even if another copy created it; creates one if it is too old. */
  async refreshCurrentKey(): Promise<void> {
    const found = await this.database.client.signingKey.findFirst(NEWEST);
    const row = isFresh(found) ? found : await this.database.transaction((tx) => this.rotate(tx));
    if (row.id !== this.key?.kid) this.key = { kid: row.id, privateKey: this.open(row) };
  }

  private async rotate(tx: Transaction): Promise<SigningKey> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${KEY_LOCK})`;
    const found = await tx.signingKey.findFirst(NEWEST);
    // Another copy has created it in the meantime.
    if (isFresh(found)) return found;
    await tx.$executeRaw`
      DELETE FROM auth.signing_key k WHERE EXISTS (
        SELECT 1 FROM auth.signing_key later
        WHERE later.created_at > k.created_at AND later.created_at < ${new Date(Date.now() - REPLACED_KEY_RETENTION_MS)})`;
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return tx.signingKey.create({ data: { id: newId(), publicKey, privateKey: this.cipher.encrypt(privateKey) } });
  }

  private open({ id, privateKey }: SigningKey): string {
    try {
      return this.cipher.decrypt(privateKey);
    } catch {
      throw new Error(
        `Signing key ${id} was encrypted with another MILLRACE_SECRET. Set that one again, or delete the rows of ` +
          'auth.signing_key. All access tokens then become invalid, and clients get new ones with their refresh tokens.',
      );
    }
  }
}

const NEWEST = { orderBy: { createdAt: 'desc' } } as const;

const isFresh = (key: SigningKey | null): key is SigningKey =>
  key !== null && key.createdAt.getTime() > Date.now() - ROTATION_INTERVAL_MS;
