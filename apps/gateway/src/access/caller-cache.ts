import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { callersChanged, resolveCaller } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Request } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

type Credential = Request<typeof resolveCaller>['body'];

interface CachedCaller {
  caller: Caller;
  requestedAt: number;
}

interface PendingRequest {
  response: Promise<Caller | null>;
  requestedAt: number;
}

/** How long a revoked credential may still be accepted. The contract allows one second. */
const MAX_UNCONFIRMED_MS = 900;
/** Upper bound for a cached caller, in case auth ever publishes a wrong change. */
const MAX_CACHED_MS = 60_000;
/** How long an unknown credential stays refused without a request. Any change of callers also clears it. */
const UNKNOWN_CREDENTIAL_TTL_MS = 5_000;

/**
 * Resolves credentials to callers. A cached caller is valid while auth's heartbeat arrives: auth publishes each change
 * within milliseconds, and an empty change several times a second (`callersChanged`). Then a check costs neither a request
 * nor a query. If no heartbeat arrives for 900 ms (auth or the broker is down), cached callers are ignored and each
 * response of auth is valid for 900 ms. A revoked credential is therefore refused within a second even if something fails.
 */
@Injectable()
export class CallerCache implements OnApplicationBootstrap {
  /** Ages are checked here: with a TTL, lru-cache sets a timer in every millisecond in which it is read. */
  private readonly cached = new LRUCache<string, CachedCaller>({ max: 10_000 });
  private readonly unknown = new LRUCache<string, true>({ max: 10_000, ttl: UNKNOWN_CREDENTIAL_TTL_MS });
  private readonly pending = new Map<string, PendingRequest>();
  private lastHeartbeatAt = -Infinity;
  /** Start of the current unbroken series of heartbeats. Callers requested before it may have missed a change. */
  private heartbeatSince = Infinity;

  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(callersChanged, (change) => this.applyChange(change));
    this.broker.onReconnect(() => {
      this.lastHeartbeatAt = -Infinity;
    });
  }

  /** @returns the cached caller of a credential; undefined if auth must be called */
  find(key: string): Caller | undefined {
    const entry = this.cached.get(key);
    return entry && this.isCurrent(entry.requestedAt) ? entry.caller : undefined;
  }

  /**
   * Resolves a credential. Concurrent calls for the same credential share one request to auth.
   * @param key identifies the credential, as in `find`
   * @returns null if the credential is unknown; @throws ApiError if auth does not respond
   */
  async resolve(key: string, credential: Credential): Promise<Caller | null> {
    const caller = this.find(key);
    if (caller) return caller;
    if (this.unknown.has(key)) return null;
    const pending = this.pending.get(key);
    if (pending && performance.now() - pending.requestedAt < MAX_UNCONFIRMED_MS) return pending.response;
    return this.requestOnce(key, credential);
  }

  private async requestOnce(key: string, credential: Credential): Promise<Caller | null> {
    const pending = { response: this.request(credential), requestedAt: performance.now() };
    this.pending.set(key, pending);
    try {
      const caller = await pending.response;
      // A change that arrived in the meantime cleared `pending`: the response may predate it, so it is not cached.
      if (this.pending.get(key) === pending) this.store(key, caller, pending.requestedAt);
      return caller;
    } finally {
      if (this.pending.get(key) === pending) this.pending.delete(key);
    }
  }

  private async request(credential: Credential): Promise<Caller | null> {
    const options = { timeoutMs: 5_000, retryForMs: 4_000 };
    const from = { caller: null };
    return (await this.rpc.call(resolveCaller, credential, from, options)).caller;
  }

  private store(key: string, caller: Caller | null, requestedAt: number): void {
    if (caller) this.cached.set(key, { caller, requestedAt });
    else this.unknown.set(key, true);
  }

  private isCurrent(requestedAt: number): boolean {
    const now = performance.now();
    const hasHeartbeat = requestedAt >= this.heartbeatSince && now - this.lastHeartbeatAt < MAX_UNCONFIRMED_MS;
    return now - requestedAt < (hasHeartbeat ? MAX_CACHED_MS : MAX_UNCONFIRMED_MS);
  }

  private applyChange({ users, vaults, all }: Payload<typeof callersChanged>): void {
    const now = performance.now();
    if (now - this.lastHeartbeatAt >= MAX_UNCONFIRMED_MS) this.heartbeatSince = now;
    this.lastHeartbeatAt = now;
    if (!all && users.length === 0 && vaults.length === 0) return;
    this.pending.clear();
    this.unknown.clear();
    for (const [key, { caller }] of this.cached.entries()) {
      if (all || users.includes(caller.user) || vaults.includes(caller.vault)) this.cached.delete(key);
    }
  }
}
