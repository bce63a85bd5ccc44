import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** How often it asks at most, however many tokens name keys that nobody has. */
const PAUSE_MS = 200;
/** How long a key that auth did not have is not asked for again. */
const MISSING_MS = 5_000;

/** Public keys of session JWTs by key id; an unknown id makes it ask, so that a new key is good at once. */
@Injectable()
export class SigningKeys {
  private keys = new Map<string, string>();
  private readonly missing = new LRUCache<string, true>({ max: 10_000, ttl: MISSING_MS });
  private askedAt = -Infinity;
  private next: Promise<void> | undefined;

  constructor(private readonly rpc: RpcClient) {}

  async find(kid: string): Promise<string | undefined> {
    if (!this.keys.has(kid) && !this.missing.has(kid)) {
      await (this.next ??= this.askNext());
      if (!this.keys.has(kid)) this.missing.set(kid, true);
    }
    return this.keys.get(kid);
  }

  /** Whoever comes before it asks shares the answer; for whoever comes later that may be too old, and they wait for the one after. */
  private async askNext(): Promise<void> {
    await sleep(Math.max(0, this.askedAt + PAUSE_MS - performance.now()));
    this.next = undefined;
    this.askedAt = performance.now();
    const { keys } = await this.rpc.call(listSigningKeys, {}, { caller: null, requestId: randomUUID() });
    this.keys = new Map(keys.map(({ kid, publicKey }) => [kid, publicKey]));
  }
}
