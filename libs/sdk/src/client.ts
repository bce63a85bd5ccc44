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
  /** Where the server is, like `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** An API token, a session JWT, or what gives one; absent for public operations only. */
  token?: string | TokenSource | null;
  fetch?: Fetch;
  /** Tries in all for what may be repeated; default 5, which bridges about three seconds. */
  tries?: number;
  /**
   * Whether responses are checked against the contract, so that a server other than Millrace is noticed at once; default
   * false.
   */
  checkResponses?: boolean;
}

const ANSWER_MS = 30_000;

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
   * Calls an operation and returns its response. A GET, and a POST with its idempotency key, are sent again if the network
   * or the server fails.
   * @throws MillraceError the error that the server reports; UnexpectedResponseError if the response is not JSON
   */
  async call<O extends Operation>(operation: O, ...[input]: CallArguments<O>): Promise<CallResult<O>> {
    return (await this.requestJson(operation, toRequest(this.baseUrl, operation, input ?? {}))) as CallResult<O>;
  }

  /** The records of a list; pages are requested as the caller reads on. */
  each<O extends Operation>(operation: O, ...[input]: CallArguments<O>): AsyncGenerator<ListRecord<O>, void> {
    const requestPage = (page: LooseInput) => this.requestJson(operation, toRequest(this.baseUrl, operation, page));
    return eachRecord<O>(requestPage, input ?? {});
  }

  /**
   * Stores a file under `path`, in place of what was there.
   * @param source a Blob, a stream, or what opens a stream; a bare stream is sent once, because it cannot be read again
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
   * Adds rows to a Live Table. Resolves when they can be queried, or after ten seconds with the progress of the load.
   * @param rows in the format of the options: a text, a Blob, a stream, or what opens a stream
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

  /** The contents behind a download operation, as a stream; with `range`, those bytes only (the last one included). */
  async download<O extends Operation>(operation: O, input: CallInput<O>, range?: ByteRange): Promise<Download> {
    const headers = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
    return readDownload(await this.send(operation, input, headers));
  }

  /** Every status change of a run from number `after` on, until it has ended; reconnects by itself. */
  events(run: string, options: RunEventsOptions = {}): AsyncGenerator<RunEvent, void> {
    return runEvents((operation, input, headers) => this.send(operation, input, headers), run, options);
  }

  /** The notifications of the user whose token this client has, as they come, without end; reconnects by itself. */
  notifications(options: NotificationEventsOptions = {}): AsyncGenerator<NotificationEvent, void> {
    return notificationEvents((operation, input, headers) => this.send(operation, input, headers), options);
  }

  /** What a subjob wrote, and what it will write until it ends, as bytes; reconnects by itself. */
  followLog(run: string, subjob: string, options: LogOptions = {}): AsyncGenerator<Uint8Array, void> {
    return followLog((operation, input) => this.send(operation, input), run, subjob, options);
  }

  /** Sends an operation and gives the bare response, whose status is 2xx. */
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
  const posts = method === 'POST';
  const writes = posts || method === 'PUT' || method === 'PATCH';
  return {
    method,
    url: buildUrl(baseUrl, operation.path, input.params, input.query),
    headers: {
      accept: 'application/json',
      ...(writes && { 'content-type': 'application/json' }),
      ...(posts && { 'idempotency-key': input.idempotencyKey ?? randomId() }),
      ...headers,
    },
    ...(writes && { body: () => JSON.stringify(input.body ?? {}) }),
    isRepeatable: method === 'GET' || posts,
    isAuthorized: operation.access.kind !== 'public',
    timeoutMs: input.timeoutMs ?? ANSWER_MS,
    ...(input.signal && { signal: input.signal }),
  };
}
