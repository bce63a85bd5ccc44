import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { Asker } from '@millrace/messaging/asker';

const REFRESH_MS = 5_000;

/** Public keys of session JWTs by key id; an unknown id makes it ask again, but not more often than every five seconds. */
@Injectable()
export class SigningKeys {
  private keys = new Map<string, string>();
  private askedAt = 0;

  constructor(private readonly asker: Asker) {}

  async find(kid: string): Promise<string | undefined> {
    if (!this.keys.has(kid) && Date.now() - this.askedAt > REFRESH_MS) {
      const { keys } = await this.asker.ask(listSigningKeys, {}, { caller: null, requestId: randomUUID() });
      this.askedAt = Date.now();
      this.keys = new Map(keys.map(({ kid: id, publicKey }) => [id, publicKey]));
    }
    return this.keys.get(kid);
  }
}
