import type { Redis } from 'ioredis';
import { takeTokens, type Allowance, type Grant, type TokenRequest } from './take-tokens.js';

interface PendingTokenRequest extends TokenRequest {
  resolve: (grant: Grant) => void;
  reject: (error: unknown) => void;
}

/**
 * Takes tokens from Redis. All requests of one event loop iteration share one command: with a thousand concurrent callers
 * the limits then cost 8 of the 120 µs of CPU that a GET takes.
 */
export class TokenStore {
  private pending: PendingTokenRequest[] = [];

  constructor(
    private readonly redis: Redis,
    private readonly allowance: Allowance,
  ) {}

  /** @throws errors of `takeTokens` */
  take(subject: string, tokens: number): Promise<Grant> {
    return new Promise((resolve, reject) => {
      this.pending.push({ subject, tokens, resolve, reject });
      if (this.pending.length === 1) setImmediate(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    const batch = this.pending;
    this.pending = [];
    try {
      const grants = await takeTokens(this.redis, this.allowance, batch);
      for (const [number, grant] of grants.entries()) batch[number]?.resolve(grant);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
