import { type Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type AllowList } from './allow-list.js';
import { decodeBody, tooLarge } from './decode-body.js';
import { EgressError } from './egress-error.js';
import { explainFailure } from './explain-failure.js';
import { guardedLookup, refuseAddress, type Resolve } from './guarded-lookup.js';
import { nextHop, readHop, type Hop } from './next-hop.js';

export interface OpenOptions {
  method?: Dispatcher.HttpMethod;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Most bytes of the answer, decompressed. */
  maxBytes: number;
  /** Gives the body as it comes, however the server has compressed it, and as much of it as one reads. */
  raw?: boolean;
  /** For the whole exchange, the body included. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Where the last redirect led to. */
  url: URL;
  /** Fails with `EgressError` where it is cut, too large or too slow. Read it to its end, or destroy it. */
  body: Readable;
}

/** Between two pieces of an answer, and before its first. */
const IDLE_MS = 30_000;
const CONNECT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** How many are followed; none for methods that change something. */
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * The way out for the platform itself: HTTP requests to URLs that users name. Each connection, those of redirects too, goes
 * to an address that was checked (`AllowList`), so that no URL reaches the platform's own network by any spelling.
 * Proxies of the environment are not used, because they would resolve names in our stead.
 */
export class EgressClient {
  private readonly agent: Agent;

  constructor(
    private readonly allowed: AllowList,
    { resolve, idleMs = IDLE_MS }: { resolve?: Resolve; idleMs?: number } = {},
  ) {
    const lookup = guardedLookup(allowed, resolve);
    this.agent = new Agent({
      connect: checked(buildConnector({ lookup, timeout: CONNECT_MS, allowH2: false }), allowed),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      pipelining: 1,
      allowH2: false,
    });
  }

  /**
   * Sends a request and gives the answer, whatever its status. Name and password in the URL become basic authentication
   * for that origin alone; no other origin gets them, nor `authorization` and `cookie` of the headers.
   * @throws EgressError where there is no answer, `EgressRefusedError` where there must be none
   */
  async open(url: string | URL, options: OpenOptions): Promise<EgressResponse> {
    const whole = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([whole, options.signal]) : whole;
    const method = options.method ?? 'GET';
    const most = method === 'GET' || method === 'HEAD' ? MAX_REDIRECTS : 0;
    try {
      let hop = readHop(url, options.headers ?? {});
      for (let redirects = 0; ; redirects += 1) {
        const response = await this.send(hop, { ...options, method, signal });
        const isRedirect = REDIRECTS.includes(response.statusCode) && response.headers['location'] !== undefined;
        if (!isRedirect || most === 0) return this.toResponse(hop, response, options, signal);
        discard(response.body);
        if (redirects === most) throw new EgressError(`it was redirected more than ${most} times`);
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
    const refused = refuseAddress(hop.url.hostname, this.allowed);
    if (refused) throw refused;
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
    { maxBytes: most, raw = false }: OpenOptions,
    signal: AbortSignal,
  ): EgressResponse {
    if (raw) return { status, headers, url, body: speaking(body, signal) };
    if (Number(headers['content-length'] ?? 0) > most) {
      discard(body);
      throw tooLarge(most);
    }
    const content = decodeBody(body, String(headers['content-encoding'] ?? ''), most);
    return { status, headers, url, body: speaking(content, signal) };
  }

  /** Ends all connections, also of answers that are still read. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}

/** Refuses addresses before the socket is made; names are the connector's own look-up to judge. */
function checked(connect: buildConnector.connector, allowed: AllowList): buildConnector.connector {
  return (options, callback) => {
    const refused = refuseAddress(options.hostname, allowed);
    if (refused) callback(refused, null);
    else connect(options, callback);
  };
}

/** A body that nobody reads would hold its connection. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

/** Says in our own words why a body ends early. */
function speaking(body: Readable, signal: AbortSignal): Readable {
  const destroy = body.destroy.bind(body);
  body.destroy = (error?: Error | null) =>
    destroy(error === undefined || error === null ? undefined : explainFailure(error, signal));
  return body;
}
