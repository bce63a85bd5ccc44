import { Injectable } from '@nestjs/common';
import type { Context } from '@millrace/messaging/rpc/context';

/**
 * The gateway asks again for what is not answered within some seconds, since a question may be lost with whoever took it
 * (libs/messaging, RpcClient). A query that merely takes its time would run twice, so the second one gets the first's answer.
 */
@Injectable()
export class RequestDeduplicator {
  private readonly pending = new Map<string, Promise<unknown>>();

  /** @param what of the request is answered: one operation may be told from another by it */
  run<T>(what: string, { caller, envelope }: Context, work: () => Promise<T>): Promise<T> {
    const { requestId, params, query } = envelope;
    const key = JSON.stringify([what, caller.user, caller.vault, requestId, params, query]);
    const known = this.pending.get(key) as Promise<T> | undefined;
    if (known) return known;
    const answer = work().finally(() => this.pending.delete(key));
    this.pending.set(key, answer);
    return answer;
  }
}
