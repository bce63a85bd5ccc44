import { readError, type MillraceError } from './millrace-error.js';
import { pause, retryDelay } from './retry-delay.js';
import { authorizationOf, type TokenSource } from './token-source.js';

export type Fetch = (url: string, init: RequestInit & { duplex?: 'half' }) => Promise<Response>;

export interface HttpRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** Called for each try, because a stream can be read only once. */
  body?: () => BodyInit;
  /** Whether the request may be sent again when it is not known what became of it. */
  isRepeatable: boolean;
  /** Whether its body can be made only once. */
  isSingleUse?: boolean;
  /** False for what must go without a token, like a sign-in. */
  isAuthorized?: boolean;
  signal?: AbortSignal;
  /** Milliseconds until the answer's head must be there, for each try. */
  timeoutMs: number;
}

/** Responses of a proxy in front of the server, or of a server that is starting. */
const UNAVAILABLE = [502, 503, 504];

/** The client waits for a rate limit that ends within this time, as those of the API do. A limit on sign-in fails at once. */
const MAX_RATE_LIMIT_WAIT_MS = 15_000;

/** Sends requests with a token, renews a refused token, and repeats a request if that is safe or was requested. */
export class Transport {
  constructor(
    private readonly tokens: TokenSource,
    private readonly fetch: Fetch,
    /** Tries in all for a request that may be repeated. */
    private readonly tries: number,
  ) {}

  /** @throws MillraceError for every answer that is not 2xx; the fetch's own error where there is no answer */
  async send(request: HttpRequest): Promise<Response> {
    const token = request.isAuthorized === false ? null : await this.tokens.current();
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
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.sendOnce(request, token).catch((error: unknown) => error as Error);
      const wait = attempt < this.tries && !request.signal?.aborted ? waitBeforeNext(request, outcome, attempt) : null;
      if (wait === null) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await pause(wait, request.signal);
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

/** Milliseconds until the request is to be sent again; null where it is not. */
function waitBeforeNext(request: HttpRequest, outcome: Response | Error, attempt: number): number | null {
  const status = outcome instanceof Response ? outcome.status : null;
  if (status === 429) return request.isSingleUse ? null : limitEnds(outcome as Response);
  const isUnavailable = status === null || UNAVAILABLE.includes(status);
  return isUnavailable && request.isRepeatable ? retryDelay(attempt) : null;
}

/** What was over a limit was not done, so anything may be sent again: after `Retry-After`, in seconds (RFC 9110, 10.2.3). */
function limitEnds({ headers }: Response): number | null {
  const after = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Infinity;
  return ms <= MAX_RATE_LIMIT_WAIT_MS ? ms : null;
}

const isRefused = (error: MillraceError): boolean => error.status === 401;
