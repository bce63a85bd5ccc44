import { ConnectionError, readError, type MillraceError } from './millrace-error.js';
import { openBody } from './request-body.js';
import { requestHeaders } from './request-headers.js';
import { pause, retryDelay } from './retry-delay.js';
import type { TokenSource } from './token-source.js';

export type Fetch = (url: string, init: RequestInit & { duplex?: 'half' }) => Promise<Response>;

export interface HttpRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** Called for each attempt, because a stream can be read only once. */
  body?: () => NonNullable<RequestInit['body']>;
  /** Whether the client may repeat the request if it does not know whether the server executed it. */
  isRepeatable: boolean;
  /** Whether `body` can be called only once. */
  isSingleUse?: boolean;
  /** False for a request that must be sent without a token, such as a sign-in. */
  isAuthorized?: boolean;
  signal?: AbortSignal;
  /** Milliseconds until the head of the response must have arrived, for each attempt. */
  timeoutMs: number;
}

/** Responses of a proxy in front of the server, or of a server that is starting. */
const UNAVAILABLE = [502, 503, 504];

/** The client waits for a rate limit that ends within this time, as most limits of the API do. A limit on sign-in fails at once. */
const MAX_RATE_LIMIT_WAIT_MS = 15_000;

/** Sends requests with a token, renews a refused token, and repeats requests if that is safe. */
export class Transport {
  constructor(
    private readonly tokens: TokenSource,
    private readonly fetch: Fetch,
    /** Maximum number of attempts for a request that may be repeated. */
    private readonly tries: number,
  ) {}

  /**
   * @throws MillraceError for every response that is not 2xx
   * @throws ConnectionError if there is no response
   * @throws the reason of the signal if it is aborted
   * @throws at once any error of the caller's input, such as a header that HTTP does not permit
   */
  async send(request: HttpRequest): Promise<Response> {
    const token = request.isAuthorized === false ? null : await this.tokens.current();
    const response = await this.sendPersistently(request, token);
    if (response.ok) return response;
    const error = await readError(response);
    const isRenewable = token !== null && isRefused(error) && !request.isSingleUse;
    const renewed = isRenewable ? await this.tokens.renew?.(token) : null;
    if (!renewed || renewed === token) throw error;
    const second = await this.sendPersistently(request, renewed);
    if (second.ok) return second;
    throw await readError(second);
  }

  private async sendPersistently(request: HttpRequest, token: string | null): Promise<Response> {
    const headers = requestHeaders(request.headers ?? {}, token);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.sendOnce(request, headers);
      const wait = attempt < this.tries && !request.signal?.aborted ? waitBeforeNext(request, outcome, attempt) : null;
      if (wait === null) {
        if (outcome instanceof Response) return outcome;
        throw new ConnectionError(request.url, outcome);
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await pause(wait, request.signal);
    }
  }

  /** Returns the error of the network. Throws any other error, such as one of the caller's body: a repetition is useless. */
  private async sendOnce(request: HttpRequest, headers: Record<string, string>): Promise<Response | Error> {
    const body = openBody(request.body);
    const timeout = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, timeout.signal]) : timeout.signal;
    const timer = setTimeout(
      () =>
        timeout.abort(new DOMException(`The server did not respond within ${request.timeoutMs} ms`, 'TimeoutError')),
      request.timeoutMs,
    );
    try {
      return await this.fetch(request.url, {
        method: request.method,
        headers,
        signal,
        ...(body.content !== undefined && { body: body.content }),
        ...(body.content instanceof ReadableStream && { duplex: 'half' as const }),
      });
    } catch (error) {
      if (request.signal?.aborted) throw error;
      if (body.failure) throw body.failure.error;
      return error as Error;
    } finally {
      // The timeout does not apply to the body, because a download may take long. The caller's signal still does.
      clearTimeout(timer);
    }
  }
}

/** Returns the milliseconds to wait before the next attempt, or null if there is none. */
function waitBeforeNext(request: HttpRequest, outcome: Response | Error, attempt: number): number | null {
  const status = outcome instanceof Response ? outcome.status : null;
  if (status === 429) return request.isSingleUse ? null : readRetryAfter(outcome as Response);
  const isUnavailable = status === null || UNAVAILABLE.includes(status);
  return isUnavailable && request.isRepeatable ? retryDelay(attempt) : null;
}

/**
 * The milliseconds of `Retry-After`, which has seconds (RFC 9110, 10.2.3). The server did not execute a request over a rate
 * limit, so any request may be repeated.
 */
function readRetryAfter({ headers }: Response): number | null {
  const after = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Infinity;
  return ms <= MAX_RATE_LIMIT_WAIT_MS ? ms : null;
}

const isRefused = (error: MillraceError): boolean => error.status === 401;
