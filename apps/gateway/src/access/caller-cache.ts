import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { callersChanged, resolveCaller } from '@millrace/contracts/auth/callers';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Request } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';

type Credential = Request<typeof resolveCaller>['body'];

interface Known {
  caller: Caller;
  askedAt: number;
}

interface Question {
  answer: Promise<Caller | null>;
  askedAt: number;
}

/** How long a credential that has ended may still be taken for good: the contract allows one second. */
const TRUST_MS = 900;
/** Should a change ever be told wrongly, nothing is wrong for longer than this. */
const MAX_MS = 60_000;
/** How long an unknown credential is not asked about again. Any change of callers ends that, too. */
const UNKNOWN_MS = 5_000;

/**
 * Who stands behind a credential. What auth said once is good for as long as auth is heard: it tells every change within
 * milliseconds, and several times a second that there was none (`callersChanged`). Then a decision costs neither a
 * question nor a query. After 900 ms of silence, which is auth or the broker being gone, nothing that was kept is
 * trusted, and each answer lives 900 ms. So an ended credential is refused within a second whatever fails.
 */
@Injectable()
export class CallerCache implements OnApplicationBootstrap {
  /** Ages are our own matter: with a time to live lru-cache sets a timer every millisecond that it is asked in. */
  private readonly known = new LRUCache<string, Known>({ max: 10_000 });
  private readonly unknown = new LRUCache<string, true>({ max: 10_000, ttl: UNKNOWN_MS });
  private readonly asking = new Map<string, Question>();
  private heardAt = -Infinity;
  /** Since when auth has been heard without a gap: what was asked before then may have missed a change. */
  private heardSince = Infinity;

  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
  ) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(callersChanged, (change) => this.hear(change));
    this.broker.onReconnect(() => {
      this.heardAt = -Infinity;
    });
  }

  /** Who is known to stand behind a credential; undefined where auth has to be asked. */
  find(key: string): Caller | undefined {
    const known = this.known.get(key);
    return known && this.isCurrent(known.askedAt) ? known.caller : undefined;
  }

  /**
   * Finds out who stands behind a credential; requests that come while a question is under way wait for the same answer.
   * @param key names the credential, as for `find`
   * @returns null where nobody does; @throws ApiError where auth does not answer
   */
  async resolve(key: string, credential: Credential): Promise<Caller | null> {
    const caller = this.find(key);
    if (caller) return caller;
    if (this.unknown.has(key)) return null;
    const question = this.asking.get(key);
    if (question && performance.now() - question.askedAt < TRUST_MS) return question.answer;
    return this.ask(key, credential);
  }

  private async ask(key: string, credential: Credential): Promise<Caller | null> {
    const question = { answer: this.request(credential), askedAt: performance.now() };
    this.asking.set(key, question);
    try {
      const caller = await question.answer;
      // Where a change was told meanwhile, the answer may be from before it, and is not kept.
      if (this.asking.get(key) === question) this.keep(key, caller, question.askedAt);
      return caller;
    } finally {
      if (this.asking.get(key) === question) this.asking.delete(key);
    }
  }

  private async request(credential: Credential): Promise<Caller | null> {
    const patience = { timeoutMs: 5_000, patienceMs: 4_000 };
    const from = { caller: null, requestId: randomUUID() };
    return (await this.rpc.call(resolveCaller, credential, from, patience)).caller;
  }

  private keep(key: string, caller: Caller | null, askedAt: number): void {
    if (caller) this.known.set(key, { caller, askedAt });
    else this.unknown.set(key, true);
  }

  private isCurrent(askedAt: number): boolean {
    const now = performance.now();
    const isVouchedFor = askedAt >= this.heardSince && now - this.heardAt < TRUST_MS;
    return now - askedAt < (isVouchedFor ? MAX_MS : TRUST_MS);
  }

  private hear({ users, vaults, all }: Payload<typeof callersChanged>): void {
    const now = performance.now();
    if (now - this.heardAt >= TRUST_MS) this.heardSince = now;
    this.heardAt = now;
    if (!all && users.length === 0 && vaults.length === 0) return;
    this.asking.clear();
    this.unknown.clear();
    for (const [key, { caller }] of this.known.entries()) {
      if (all || users.includes(caller.user) || vaults.includes(caller.vault)) this.known.delete(key);
    }
  }
}
