import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';

/** How soon a stream ends that has nothing to send. */
const LOOK_MS = 500;
/** Between two tries where auth or the owning service does not answer. */
const RETRY_MS = 100;

interface Sources {
  /** Who stands behind the request now. @throws ApiError 401 where nobody does */
  currentCaller: () => Promise<Caller>;
  /** Asks the service that owns the record, which refuses whoever may not see it. */
  enter: (envelope: Envelope) => Promise<unknown>;
}

/** Where an answer goes, as Node's `ServerResponse` is one. */
interface Target {
  readonly destroyed: boolean;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * The right to an answer that goes on for long. What ended (a session, a token, a user, a role) must end it within a
 * second, so `confirm` comes before each thing that is sent. A quiet answer is looked at by the clock.
 */
export class LastingAccess {
  private confirming: Promise<void> | undefined;

  constructor(
    private current: Envelope,
    private readonly sources: Sources,
    private readonly target: Target,
  ) {}

  /** The request, from whoever stands behind it as far as that is confirmed. */
  get envelope(): Envelope {
    return this.current;
  }

  /** From now on the connection breaks when the right to it ends. The sender then learns why by asking again. */
  watch(): void {
    // Who left during the first question has closed already, and will not again.
    if (this.target.destroyed) return;
    const timer = setInterval(() => void this.confirm().catch(() => this.target.destroy()), LOOK_MS);
    this.target.once('close', () => clearInterval(timer));
  }

  /**
   * Returns once it is known that the answer may go on, or that nobody is there to read it. While auth or the service
   * does not answer, nothing is known, and it waits.
   * @throws ApiError 401, 403 or 404 where the right has ended
   */
  confirm(): Promise<void> {
    return (this.confirming ??= this.findOut().finally(() => {
      this.confirming = undefined;
    }));
  }

  /** Passes on parts of the answer as long as they may be sent. */
  async *guard<T>(parts: AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const part of parts) {
      await this.confirm();
      yield part;
    }
  }

  private async findOut(): Promise<void> {
    while (!this.target.destroyed) {
      try {
        const caller = await this.sources.currentCaller();
        if (isDeepStrictEqual(caller, this.current.caller)) return;
        const envelope = { ...this.current, caller };
        await this.sources.enter(envelope);
        this.current = envelope;
      } catch (error) {
        if (isRefusal(error)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }
}

/** An answer that stays the same however often one asks. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404].includes(error.status);
