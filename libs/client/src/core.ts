import { buildUrl, parseBase } from './build-url.js';
import type { CallArguments, CallResult, LooseInput } from './call-input.js';
import { eachPage, type Paging } from './each-page.js';
import { List } from './list.js';
import { passBody } from './lost-connection.js';
import type { DownloadOptions } from './method-options.js';
import type { Operation } from './operation.js';
import { randomId } from './random-id.js';
import { readDownload, type Download } from './read-download.js';
import { readResponse, type Validate } from './read-response.js';
import { reportProgress } from './report-progress.js';
import { fixedToken, type TokenSource } from './token-source.js';
import { Transport, type Fetch, type HttpRequest } from './transport.js';

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** An API token, a session JWT, or a source of tokens. Public operations need none. */
  token?: string | TokenSource | null;
  /** Replaces the `fetch` of the platform, for example to use a proxy. */
  fetch?: Fetch;
  /** Maximum number of attempts for a request that may be repeated; default 5, which covers about three seconds. */
  tries?: number;
  /** Checks responses against the contract, such as `validateResponse` of `@millrace/client/validation`; default: no check. */
  validate?: Validate;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Calls single operations: `await client.call(runs.get, { params: { id: '7' } })`. Programs that use few of them and must stay
 * small use this class with `@millrace/client/operations`; any other uses `MillraceClient`, which has a method for each.
 */
export class CoreClient {
  readonly baseUrl: string;
  private readonly transport: Transport;
  private readonly validate: Validate | undefined;

  /** @throws TypeError if the address or the token is not valid */
  constructor(options: ClientOptions) {
    this.baseUrl = parseBase(options.baseUrl);
    this.validate = options.validate;
    const { token = null } = options;
    const tokens = typeof token === 'string' || token === null ? fixedToken(token) : token;
    this.transport = new Transport(tokens, options.fetch ?? ((url, init) => fetch(url, init)), options.tries ?? 5);
  }

  /**
   * Calls an operation and returns its response; null if it has no content. If the network or the server fails, the client repeats
   * a GET, and a POST under the same idempotency key.
   * @throws MillraceError for an error that the server reports
   * @throws ConnectionError if the server does not respond
   * @throws UnexpectedResponseError if the response is not JSON
   */
  async call<O extends Operation>(operation: O, ...[input]: CallArguments<O>): Promise<CallResult<O>> {
    return (await this.requestJson(operation, toRequest(this.baseUrl, operation, input ?? {}))) as CallResult<O>;
  }

  /** A list of records: its first page, or the records of all pages. */
  list<O extends Operation>(operation: O, ...[input]: CallArguments<O>): List<CallResult<O>> {
    const requestPage = (page: LooseInput) => this.requestJson(operation, toRequest(this.baseUrl, operation, page));
    return new List(
      () => requestPage(input ?? {}) as Promise<CallResult<O>>,
      () => eachPage(requestPage, input ?? {}, operation as Paging) as AsyncGenerator<CallResult<O>, void>,
    );
  }

  /** Opens the contents of a download operation as a stream, which fails with a ConnectionError if the connection is lost. */
  async download(operation: Operation, input: LooseInput, options: DownloadOptions = {}): Promise<Download> {
    const { range, onProgress, ...callOptions } = options;
    const headers = { accept: '*/*', ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }) };
    const request = toRequest(this.baseUrl, operation, { ...input, ...callOptions }, headers);
    const download = readDownload(await this.transport.send(request));
    download.body = passBody(download.body, request);
    if (onProgress) download.body = reportProgress(download.body, download.size, onProgress);
    return download;
  }

  /** Sends an operation and returns the raw response, whose status is 2xx. */
  async send(operation: Operation, input: LooseInput, headers: Record<string, string> = {}): Promise<Response> {
    return this.transport.send(toRequest(this.baseUrl, operation, input, headers));
  }

  /** Sends a body that is not JSON, and returns the JSON of the response. */
  async sendContent(operation: Operation, input: LooseInput, content: Content): Promise<unknown> {
    const { headers, isRepeatable, isSingleUse, body, timeoutMs } = content;
    const request = toRequest(this.baseUrl, operation, input, headers);
    return this.requestJson(operation, {
      ...{ ...request, isRepeatable, isSingleUse, body },
      timeoutMs: input.timeoutMs ?? timeoutMs,
    });
  }

  private async requestJson(operation: Operation, request: HttpRequest): Promise<unknown> {
    const response = await this.transport.send(request);
    return readResponse(operation, response, { baseUrl: this.baseUrl, validate: this.validate, request });
  }
}

/** The body of a request that is not JSON. */
export interface Content {
  headers: Record<string, string>;
  /** Called for each attempt. */
  body: () => NonNullable<RequestInit['body']>;
  /** Whether the request may be repeated if it is unknown whether the server executed it. */
  isRepeatable: boolean;
  /** Whether `body` can be called only once. */
  isSingleUse: boolean;
  /** The default of the timeout. */
  timeoutMs: number;
}

function toRequest(
  baseUrl: string,
  operation: Operation,
  input: LooseInput,
  headers: Record<string, string> = {},
): HttpRequest {
  const { method } = operation;
  const isPost = method === 'POST';
  const hasBody = isPost || method === 'PUT' || method === 'PATCH';
  return {
    method,
    url: buildUrl(baseUrl, operation.path, input.params, input.query),
    headers: {
      accept: 'application/json',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(isPost && { 'idempotency-key': input.idempotencyKey ?? randomId() }),
      ...headers,
    },
    ...(hasBody && { body: () => JSON.stringify(input.body ?? {}) }),
    isRepeatable: method === 'GET' || isPost,
    isAuthorized: operation.access?.kind !== 'public',
    timeoutMs: input.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(input.signal && { signal: input.signal }),
  };
}
