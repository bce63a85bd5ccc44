import { generateKeyPairSync } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Seal } from '@millrace/messaging/seal';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { SigningKey } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** Advisory lock under which the first copy of the service to start makes the key. */
const KEY_LOCK = 4_220_117;

/** The key pair that signs session JWTs (ES256, RFC 7518), made at the first start; the private half is kept sealed. */
@Injectable()
export class SigningKeys implements OnModuleInit {
  private readonly seal: Seal;
  private key?: { kid: string; privateKey: string };

  constructor(
    private readonly database: Database,
    @Inject(AUTH_ENV) env: AuthEnv,
  ) {
    this.seal = new Seal(env.MILLRACE_SECRET, 'session signing keys');
  }

  async onModuleInit(): Promise<void> {
    const row = await this.database.transaction((tx) => this.ensureKey(tx));
    this.key = { kid: row.id, privateKey: this.open(row) };
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

  private async ensureKey(tx: Transaction): Promise<SigningKey> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${KEY_LOCK})`;
    const found = await tx.signingKey.findFirst({ orderBy: { createdAt: 'desc' } });
    if (found) return found;
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return tx.signingKey.create({ data: { id: newId(), publicKey, privateKey: this.seal.seal(privateKey) } });
  }

  private open({ id, privateKey }: SigningKey): string {
    try {
      return this.seal.open(privateKey);
    } catch {
      throw new Error(
        `Signing key ${id} was sealed under another MILLRACE_SECRET: set that one again, or delete the rows of ` +
          'auth.signing_key, which signs everybody out',
      );
    }
  }
}
