import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';

/** How often access to a stream that has nothing to send is checked. */
const CHECK_INTERVAL_MS = 500;
/** Between two attempts if auth or the owning service does not respond. */
const RETRY_INTERVAL_MS = 100;

interface AccessChecks {
  /** The current caller of the request. @throws ApiError 401 if the credential is no longer valid */
  currentCaller: () => Promise<Caller>;
  /** Calls the service that owns the record. @throws ApiError 403 or 404 if the caller may not see it */
  checkRecordAccess: (envelope: Envelope) => Promise<unknown>;
}

/** The response that is being sent; Node's `ServerResponse` is one. */
interface ResponseTarget {
  readonly destroyed: boolean;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * The right to a response that takes long to send. If the session, token, user or role ends, the response must end within
 * a second, so call `confirm` before each part. While nothing is sent, `watch` checks on a timer.
 */
export class StreamAccess {
  private confirming: Promise<void> | undefined;

  constructor(
    private currentEnvelope: Envelope,
    private readonly checks: AccessChecks,
    private readonly target: ResponseTarget,
  ) {}

  /** The request, with the caller as last confirmed. */
  get envelope(): Envelope {
    return this.currentEnvelope;
  }

  /** Destroys the connection when the right to it ends. The client learns the reason from its next request. */
  watch(): void {
    // A client that disconnected during the first request has emitted `close` already.
    if (this.target.destroyed) return;
    const timer = setInterval(() => void this.confirm().catch(() => this.target.destroy()), CHECK_INTERVAL_MS);
    this.target.once('close', () => clearInterval(timer));
  }

  /**
   * Returns when the response may continue or the client has disconnected. While auth or the owning service does not
   * respond, it retries.
   * @throws ApiError 401, 403 or 404 if the right has ended
   */
  confirm(): Promise<void> {
    return (this.confirming ??= this.checkUntilKnown().finally(() => {
      this.confirming = undefined;
    }));
  }

  /** Yields the parts of a response, and confirms the right to each of them first. */
  async *guard<T>(parts: AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const part of parts) {
      await this.confirm();
      yield part;
    }
  }

  private async checkUntilKnown(): Promise<void> {
    while (!this.target.destroyed) {
      try {
        const caller = await this.checks.currentCaller();
        if (isDeepStrictEqual(caller, this.currentEnvelope.caller)) return;
        const envelope = { ...this.currentEnvelope, caller };
        await this.checks.checkRecordAccess(envelope);
        this.currentEnvelope = envelope;
      } catch (error) {
        if (isAccessDenied(error)) throw error;
        await sleep(RETRY_INTERVAL_MS);
      }
    }
  }
}

/** Whether an error denies access for good, unlike a service that does not respond. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404].includes(error.status);
