import { type Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type AllowList } from '../addresses/allow-list.js';
import { guardedLookup, refuseAddress, type Resolve } from '../addresses/guarded-lookup.js';
import { decodeBody, tooLarge } from './decode-body.js';
import { EgressError } from './egress-error.js';
import { explainFailure } from './explain-failure.js';
import { nextHop, readHop, type Hop } from './next-hop.js';

export interface OpenOptions {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Maximum size of the response in bytes, decompressed. */
  maxBytes: number;
  /** Returns the body unmodified, without decompression and without `maxBytes`. */
  raw?: boolean;
  /** Timeout of the whole exchange, including the body. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Target of the last redirect. */
  url: URL;
  /** Fails with `EgressError` if it is cut off, too large or too slow. Read it to its end, or destroy it. */
  body: Readable;
}

/** Maximum time before the first piece of a response, and between two pieces. */
const IDLE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Maximum number of redirects for methods without side effects; other methods follow none. */
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/**
 * HTTP client for URLs that users provide. Every connection, including those of redirects, goes to an address that was
 * checked against the `AllowList`, so no spelling of a URL reaches the network of the platform. Proxies of the
 * environment are not used, because they would resolve names instead of this client.
 */
export class EgressClient {
  private readonly agent: Agent;

  constructor(
    private readonly allowed: AllowList,
    { resolve, idleMs = IDLE_TIMEOUT_MS }: { resolve?: Resolve; idleMs?: number } = {},
  ) {
    const lookup = guardedLookup(allowed, resolve);
    this.agent = new Agent({
      connect: checkBeforeConnect(buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false }), allowed),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      pipelining: 1,
      allowH2: false,
    });
  }

  /**
   * Sends a request and returns the response, whatever its status. User name and password in the URL become basic
   * authentication for that origin only. Other origins receive none of them, and no `authorization` and `cookie` headers.
   * @throws EgressError if there is no response; EgressRefusedError if the target is not allowed
   */
  async open(url: string | URL, options: OpenOptions): Promise<EgressResponse> {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const method = options.method ?? 'GET';
    const maxRedirects = method === 'GET' || method === 'HEAD' ? MAX_REDIRECTS : 0;
    try {
      let hop = readHop(url, options.headers ?? {});
      for (let redirects = 0; ; redirects += 1) {
        const response = await this.send(hop, { ...options, method, signal });
        const isRedirect =
          REDIRECT_STATUSES.includes(response.statusCode) && response.headers['location'] !== undefined;
        if (!isRedirect || maxRedirects === 0) return this.toResponse(hop, response, options, signal);
        discard(response.body);
        if (redirects === maxRedirects) throw new EgressError(`it was redirected more than ${maxRedirects} times`);
        hop = nextHop(hop, String(response.headers['location']));
      }
    } catch (error) {
      throw explainFailure(error, signal);
    }
  }

  private send(
    hop: Hop,
    { method, body, signal }: OpenOptions & { method: Dispatcher.HttpMethod; signal: AbortSignal },
  ) {
    const rejection = refuseAddress(hop.url.hostname, this.allowed);
    if (rejection) throw rejection;
    return this.agent.request({
      origin: hop.url.origin,
      path: `${hop.url.pathname}${hop.url.search}`,
      method,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'millrace', ...hop.headers },
      ...(body !== undefined && { body }),
      signal,
    });
  }

  private toResponse(
    { url }: Hop,
    { statusCode: status, headers, body }: Dispatcher.ResponseData,
    { maxBytes, raw = false }: OpenOptions,
    signal: AbortSignal,
  ): EgressResponse {
    if (raw) return { status, headers, url, body: explainDestroy(body, signal) };
    if (Number(headers['content-length'] ?? 0) > maxBytes) {
      discard(body);
      throw tooLarge(maxBytes);
    }
    const content = decodeBody(body, String(headers['content-encoding'] ?? ''), maxBytes);
    return { status, headers, url, body: explainDestroy(content, signal) };
  }

  /** Closes all connections, including those of unread responses. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** Rejects addresses before a socket is opened; the lookup of the connector checks names. */
function checkBeforeConnect(connect: buildConnector.connector, allowed: AllowList): buildConnector.connector {
  return (options, callback) => {
    const rejection = refuseAddress(options.hostname, allowed);
    if (rejection) callback(rejection, null);
    else connect(options, callback);
  };
}

/** An unread body would keep its connection busy. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

/** Replaces the error of a body that ends early by an `EgressError`. */
function explainDestroy(body: Readable, signal: AbortSignal): Readable {
  const destroy = body.destroy.bind(body);
  body.destroy = (error?: Error | null) =>
    destroy(error === undefined || error === null ? undefined : explainFailure(error, signal));
  return body;
}
