import { readError, type MillraceError } from './millrace-error.js';
import { pause, retryDelay } from './retry-delay.js';
import { authorizationOf, type TokenSource } from './token-source.js';

export type Fetch = (url: string, init: RequestInit & { duplex?: 'half' }) => Promise<Response>;

export interface HttpRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** Made anew for each try, since a stream can be read only once. */
  body?: () => BodyInit;
  /** Whether the request may be sent again when it is not known what became of it. */
  repeatable: boolean;
  /** False for what must go without a token, like a sign-in. */
  authorized?: boolean;
  signal?: AbortSignal;
  /** Milliseconds until the answer's head must be there, for each try. */
  timeoutMs: number;
}

/** Answers of something in front of the server, or of a server that is starting. */
const UNAVAILABLE = [502, 503, 504];

/** Sends requests: with a token, renewed where it is refused, and again where that is safe. */
export class Transport {
  constructor(
    private readonly tokens: TokenSource,
    private readonly fetch: Fetch,
    /** Tries in all for a request that may be repeated. */
    private readonly tries: number,
  ) {}

  /** @throws MillraceError for every answer that is not 2xx; the fetch's own error where there is no answer */
  async send(request: HttpRequest): Promise<Response> {
    const token = request.authorized === false ? null : await this.tokens.current();
    const response = await this.sendPersistently(request, token);
    if (response.ok) return response;
    const error = await readError(response);
    const other = token !== null && isRefused(error) ? await this.tokens.renew?.(token) : null;
    if (!other || other === token) throw error;
    const second = await this.sendPersistently(request, other);
    if (second.ok) return second;
    throw await readError(second);
  }

  private async sendPersistently(request: HttpRequest, token: string | null): Promise<Response> {
    const tries = request.repeatable ? this.tries : 1;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.sendOnce(request, token).catch((error: unknown) => error as Error);
      const unavailable = outcome instanceof Response ? UNAVAILABLE.includes(outcome.status) : true;
      if (!unavailable || attempt >= tries || request.signal?.aborted) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await pause(retryDelay(attempt), request.signal);
    }
  }

  private async sendOnce(request: HttpRequest, token: string | null): Promise<Response> {
    const headers = { ...request.headers, ...(token !== null && { authorization: authorizationOf(token) }) };
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new DOMException(`No answer within ${request.timeoutMs} ms`, 'TimeoutError')),
      request.timeoutMs,
    );
    const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
    const body = request.body?.();
    try {
      return await this.fetch(request.url, {
        method: request.method,
        headers,
        signal,
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' as const }),
      });
    } finally {
      // From here on only the caller's signal counts: a download may take as long as it takes.
      clearTimeout(timer);
    }
  }
}

const isRefused = (error: MillraceError): boolean => error.status === 401;
