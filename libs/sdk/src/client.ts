import type { Operation } from '@millrace/contracts/kit/operation';
import { appendRows, type AppendOptions } from './append-rows.js';
import { buildUrl, normalizeBase } from './build-url.js';
import type { CallArguments, CallInput, CallOptions, CallResult, LooseInput } from './call-input.js';
import { eachRecord, type ListRecord } from './each-record.js';
import { followLog, type LogOptions } from './follow-log.js';
import { notificationEvents, type NotificationEvent, type NotificationEventsOptions } from './notification-events.js';
import { randomId } from './random-id.js';
import { readDownload, type ByteRange, type Download } from './read-download.js';
import { readResponse } from './read-response.js';
import type { Load, StoredFile } from './records.js';
import { runEvents, type RunEvent, type RunEventsOptions } from './run-events.js';
import { fixedToken, type TokenSource } from './token-source.js';
import { Transport, type Fetch, type HttpRequest } from './transport.js';
import { uploadFile, type UploadSource } from './upload-file.js';

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** An API token, a session JWT, or a source of tokens. Public operations need none. */
  token?: string | TokenSource | null;
  fetch?: Fetch;
  /** Maximum number of attempts for a request that may be repeated; default 5, which covers about three seconds. */
  tries?: number;
  /** Whether to check responses against the contract, which detects a server other than Millrace; default false. */
  checkResponses?: boolean;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * A client of Millrace's REST API, for Node 20 and later and for browsers. Operations come from `resources`:
 * `await client.call(runs.getRun, { params: { id: '7' } })`.
 */
export class MillraceClient {
  readonly baseUrl: string;
  private readonly transport: Transport;
  private readonly check: boolean;

  constructor(options: ClientOptions) {
    this.baseUrl = normalizeBase(options.baseUrl);
    this.check = options.checkResponses ?? false;
    const { token = null } = options;
    const tokens = typeof token === 'string' || token === null ? fixedToken(token) : token;
    this.transport = new Transport(tokens, options.fetch ?? ((url, init) => fetch(url, init)), options.tries ?? 5);
  }

  /**
   * Calls an operation and returns its response. If the network or the server fails, the client repeats a GET, and a POST
   * under the same idempotency key.
   * @throws MillraceError for an error that the server reports
   * @throws UnexpectedResponseError if the response is not JSON
   */
  async call<O extends Operation>(operation: O, ...[input]: CallArguments<O>): Promise<CallResult<O>> {
    return (await this.requestJson(operation, toRequest(this.baseUrl, operation, input ?? {}))) as CallResult<O>;
  }

  /** Yields the records of a list. It requests each page when the caller needs it. */
  each<O extends Operation>(operation: O, ...[input]: CallArguments<O>): AsyncGenerator<ListRecord<O>, void> {
    const requestPage = (page: LooseInput) => this.requestJson(operation, toRequest(this.baseUrl, operation, page));
    return eachRecord<O>(requestPage, input ?? {});
  }

  /**
   * Stores a file under `path` and replaces a file that is already there.
   * @param source a Blob, a stream, or a function that opens a stream; a stream is sent once, because it cannot be read again
   */
  upload(path: string, source: UploadSource, options: CallOptions = {}): Promise<StoredFile> {
    return uploadFile(
      (operation, request) => this.requestJson(operation, request),
      this.baseUrl,
      path,
      source,
      options,
    );
  }

  /**
   * Adds rows to a Live Table. Resolves when queries see the rows, or after ten seconds with the progress of the load.
   * @param rows in the format of the options: a string, a Blob, a stream, or a function that opens a stream
   */
  appendRows(dataset: string, rows: UploadSource | string, options: AppendOptions): Promise<Load> {
    return appendRows(
      (operation, request) => this.requestJson(operation, request),
      this.baseUrl,
      dataset,
      rows,
      options,
    );
  }

  /** Opens the contents of a download operation as a stream; with `range`, only those bytes, including `end`. */
  async download<O extends Operation>(operation: O, input: CallInput<O>, range?: ByteRange): Promise<Download> {
    const headers = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
    return readDownload(await this.send(operation, input, headers));
  }

  /** Yields every status change of a run after number `after`, until the run has ended. Reconnects automatically. */
  events(run: string, options: RunEventsOptions = {}): AsyncGenerator<RunEvent, void> {
    return runEvents((operation, input, headers) => this.send(operation, input, headers), run, options);
  }

  /** Yields new notifications of the user whose token this client has, without end. Reconnects automatically. */
  notifications(options: NotificationEventsOptions = {}): AsyncGenerator<NotificationEvent, void> {
    return notificationEvents((operation, input, headers) => this.send(operation, input, headers), options);
  }

  /** Yields the log of a subjob as bytes, until the subjob has ended. Reconnects automatically. */
  followLog(run: string, subjob: string, options: LogOptions = {}): AsyncGenerator<Uint8Array, void> {
    return followLog((operation, input) => this.send(operation, input), run, subjob, options);
  }

  /** Sends an operation and returns the raw response, whose status is 2xx. */
  send(operation: Operation, input: LooseInput, headers: Record<string, string> = {}): Promise<Response> {
    return this.transport.send(toRequest(this.baseUrl, operation, input, headers));
  }

  private async requestJson(operation: Operation, request: HttpRequest): Promise<unknown> {
    const response = await this.transport.send(request);
    return readResponse(operation, response, { baseUrl: this.baseUrl, check: this.check });
  }
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
    isAuthorized: operation.access.kind !== 'public',
    timeoutMs: input.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(input.signal && { signal: input.signal }),
  };
}
