import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** Lower bound between two requests, however many tokens name unknown keys. */
const MIN_REQUEST_INTERVAL_MS = 200;
/** How long a key that auth does not have is not requested again. */
const MISSING_KEY_TTL_MS = 5_000;

/** Public keys of session JWTs by key id. An unknown id causes a request to auth, so a new key works immediately. */
@Injectable()
export class SigningKeys {
  private keys = new Map<string, string>();
  private readonly missing = new LRUCache<string, true>({ max: 10_000, ttl: MISSING_KEY_TTL_MS });
  private requestedAt = -Infinity;
  private nextRefresh: Promise<void> | undefined;

  constructor(private readonly rpc: RpcClient) {}

  async find(kid: string): Promise<string | undefined> {
    if (!this.keys.has(kid) && !this.missing.has(kid)) {
      await (this.nextRefresh ??= this.refresh());
      if (!this.keys.has(kid)) this.missing.set(kid, true);
    }
    return this.keys.get(kid);
  }

  /** Callers that arrive before the request is sent share its response. Later ones wait for the next request, because this response may be too old for them. */
  private async refresh(): Promise<void> {
    await sleep(Math.max(0, this.requestedAt + MIN_REQUEST_INTERVAL_MS - performance.now()));
    this.nextRefresh = undefined;
    this.requestedAt = performance.now();
    const { keys } = await this.rpc.call(listSigningKeys, {}, { caller: null });
    this.keys = new Map(keys.map(({ kid, publicKey }) => [kid, publicKey]));
  }
}
