import { generateKeyPairSync } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SigningKey } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { IntervalLoop } from '@millrace/service/interval-loop';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** Advisory lock under which one copy of the service makes a key while the others wait. */
const KEY_LOCK = 4_220_117;

const DAY_MS = 24 * 3_600_000;
const ROTATE_MS = 30 * DAY_MS;
/** So long after its successor came a key stays; the tokens that it signed were over within the hour. */
const KEEP_MS = 31 * DAY_MS;
/** Copies of the service sign with another's new key after this time at the latest. */
const LOOK_MS = 30_000;

/**
 * The key pairs that sign session JWTs (ES256, RFC 7518); the private halves are kept sealed. The first is made at the
 * first start, a new one every 30 days. Gateways ask when they meet a key that they do not know.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, OnApplicationShutdown {
  private readonly rotation = new IntervalLoop('Signing key rotation', LOOK_MS, () => this.keepFresh());
  private readonly seal: SecretCipher;
  private key?: { kid: string; privateKey: string };

  constructor(
    private readonly database: Database,
    @Inject(AUTH_ENV) env: AuthEnv,
  ) {
    this.seal = new SecretCipher(env.MILLRACE_SECRET, 'session signing keys');
  }

  async onModuleInit(): Promise<void> {
    await this.keepFresh();
    this.rotation.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rotation.stop();
  }

  /** The newest key, with which new tokens are signed. */
  get current(): { kid: string; privateKey: string } {
    if (!this.key) throw new Error('The signing key is used before the module is initialised');
    return this.key;
  }

  /** Public halves, PEM, of all keys whose tokens may still be about. */
  async listPublic(): Promise<{ kid: string; publicKey: string }[]> {
    const rows = await this.database.client.signingKey.findMany({ orderBy: { createdAt: 'asc' } });
    return rows.map(({ id, publicKey }) => ({ kid: id, publicKey }));
  }

  /** Signs with the newest key from now on, whoever made it; makes one where that is too old. */
  async keepFresh(): Promise<void> {
    const found = await this.database.client.signingKey.findFirst(NEWEST);
    const row = isFresh(found) ? found : await this.database.transaction((tx) => this.rotate(tx));
    if (row.id !== this.key?.kid) this.key = { kid: row.id, privateKey: this.open(row) };
  }

  private async rotate(tx: Transaction): Promise<SigningKey> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${KEY_LOCK})`;
    const found = await tx.signingKey.findFirst(NEWEST);
    // Another copy was first.
    if (isFresh(found)) return found;
    await tx.$executeRaw`
      DELETE FROM auth.signing_key k WHERE EXISTS (
        SELECT 1 FROM auth.signing_key later
        WHERE later.created_at > k.created_at AND later.created_at < ${new Date(Date.now() - KEEP_MS)})`;
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return tx.signingKey.create({ data: { id: newId(), publicKey, privateKey: this.seal.encrypt(privateKey) } });
  }

  private open({ id, privateKey }: SigningKey): string {
    try {
      return this.seal.decrypt(privateKey);
    } catch {
      throw new Error(
        `Signing key ${id} was sealed under another MILLRACE_SECRET: set that one again, or delete the rows of ` +
          'auth.signing_key: all access tokens are refused then, and refresh tokens bring new ones',
      );
    }
  }
}

const NEWEST = { orderBy: { createdAt: 'desc' } } as const;

const isFresh = (key: SigningKey | null): key is SigningKey =>
  key !== null && key.createdAt.getTime() > Date.now() - ROTATE_MS;
