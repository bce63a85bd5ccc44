import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { Asker } from '@millrace/messaging/asker';

type Credential = Request<typeof resolveCaller>['body'];

/** How long a credential that has ended may still be taken for good: the contract allows one second. */
const TTL_MS = 900;

/** Finds out who stands behind a credential, asking the auth service at most once a second for each. */
@Injectable()
export class CallerCache {
  private readonly known = new LRUCache<string, Promise<Caller | null>>({ max: 10_000, ttl: TTL_MS });

  constructor(private readonly asker: Asker) {}

  resolve(key: string, credential: Credential): Promise<Caller | null> {
    const former = this.known.get(key);
    if (former) return former;
    const found = this.asker
      .ask(
        resolveCaller,
        credential,
        { caller: null, requestId: randomUUID() },
        { timeoutMs: 5_000, patienceMs: 4_000 },
      )
      .then(({ caller }) => caller);
    this.known.set(key, found);
    // A failure to ask is no answer; the next request asks anew.
    found.catch(() => this.known.delete(key));
    return found;
  }
}
