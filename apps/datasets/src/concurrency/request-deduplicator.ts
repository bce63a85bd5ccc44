import { Injectable } from '@nestjs/common';
import type { Context } from '@millrace/messaging/rpc/context';

/**
 * Runs repeated deliveries of one request once. The gateway sends a request again if no response arrives within some
 * seconds, because the first message may have been lost (libs/messaging, RpcClient). A slow query would then run twice;
 * here the second delivery gets the result of the first.
 */
@Injectable()
export class RequestDeduplicator {
  private readonly pending = new Map<string, Promise<unknown>>();

  /** @param name distinguishes operations whose requests have the same parameters */
  run<T>(name: string, { caller, envelope }: Context, work: () => Promise<T>): Promise<T> {
    const { requestId, params, query } = envelope;
    const key = JSON.stringify([name, caller.user, caller.vault, requestId, params, query]);
    const existing = this.pending.get(key) as Promise<T> | undefined;
    if (existing) return existing;
    const result = work().finally(() => this.pending.delete(key));
    this.pending.set(key, result);
    return result;
  }
}
