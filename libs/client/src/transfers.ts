import type { CallOptions } from './call-input.js';
import type { CoreClient } from './core.js';
import { execInSandbox, type ExecEvent } from './exec-in-sandbox.js';
import { followLog, type LogOptions } from './follow-log.js';
import { hooks, rows, sandboxes } from './generated/operations.js';
import type {
  File as StoredFile,
  HooksFireResponse,
  Load,
  SandboxEntry,
  SandboxesExecBody,
  SandboxesWriteFileQuery,
} from './generated/types.js';
import type { UploadOptions } from './method-options.js';
import { notificationEvents, type NotificationEvent, type NotificationEventsOptions } from './notification-events.js';
import { randomId } from './random-id.js';
import { runEvents, type RunEvent, type RunEventsOptions } from './run-events.js';
import { UPLOAD_TIMEOUT_MS, uploadFile } from './upload-file.js';
import { toContent, type UploadSource } from './upload-source.js';

export interface AppendOptions extends CallOptions {
  format: 'json' | 'ndjson' | 'csv';
  encoding?: 'gzip' | 'zstd';
}

export interface FireOptions extends CallOptions {
  /** Content type of the payload; default `application/json`. */
  contentType?: string;
  /** Further headers, such as the signature that the hook expects. */
  headers?: Record<string, string>;
}

/** The methods whose request or response is not JSON, by resource and name. */
export interface Transfers {
  /** @param path where the file is stored; a file that is already there is replaced */
  'files.upload': (path: string, source: UploadSource, options?: UploadOptions) => Promise<StoredFile>;
  /** @param payload a string or bytes, in the format of `contentType` */
  'hooks.fire': (token: string, payload?: string | Blob, options?: FireOptions) => Promise<HooksFireResponse>;
  /** Yields new notifications of the caller, without end. Reconnects automatically. */
  'notifications.stream': (options?: NotificationEventsOptions) => AsyncGenerator<NotificationEvent, void>;
  /**
   * Resolves when queries see the rows, or after ten seconds with the progress of the load.
   * @param source rows in the format of the options
   */
  'rows.append': (id: string, source: UploadSource, options: AppendOptions) => Promise<Load>;
  /** Yields every status change of a run after number `after`, until the run has ended. Reconnects automatically. */
  'runs.events': (id: string, options?: RunEventsOptions) => AsyncGenerator<RunEvent, void>;
  /** Yields what the command prints, and its end as the last event. */
  'sandboxes.exec': (input: SandboxesExecBody, options?: CallOptions) => AsyncGenerator<ExecEvent, void>;
  'sandboxes.writeFile': (
    query: SandboxesWriteFileQuery,
    source: UploadSource,
    options?: UploadOptions,
  ) => Promise<SandboxEntry>;
  /** Yields the log of a subjob as bytes, until the subjob has ended. Reconnects automatically. */
  'subjobs.logs': (runId: string, subjobId: string, options?: LogOptions) => AsyncGenerator<Uint8Array, void>;
}

const ROW_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson', csv: 'text/csv' };

export function createTransfers(client: CoreClient): Transfers {
  return {
    'files.upload': (path, source, options) => uploadFile(client, path, source, options),
    'hooks.fire': (token, payload = '{}', { contentType = 'application/json', headers, ...options } = {}) =>
      client.sendContent(
        hooks.fire,
        { params: { token }, ...options },
        {
          ...{ headers: { 'content-type': contentType, ...headers }, body: () => payload },
          ...{ isRepeatable: true, isSingleUse: false, timeoutMs: UPLOAD_TIMEOUT_MS },
        },
      ) as Promise<HooksFireResponse>,
    'notifications.stream': (options) => notificationEvents(client, options),
    'rows.append': async (id, source, { format, encoding, ...options }) => {
      const { body, isSingleUse } = toContent(source);
      const load = await client.sendContent(
        rows.append,
        { params: { id }, ...options },
        {
          ...{ body, isSingleUse, isRepeatable: !isSingleUse, timeoutMs: UPLOAD_TIMEOUT_MS },
          headers: {
            'content-type': ROW_TYPES[format],
            // The server adds the rows once, even if it receives this request several times.
            'idempotency-key': options.idempotencyKey ?? randomId(),
            ...(encoding && { 'content-encoding': encoding }),
          },
        },
      );
      return load as Load;
    },
    'runs.events': (id, options) => runEvents(client, id, options),
    'sandboxes.exec': (input, options) => execInSandbox(client, input, options),
    'sandboxes.writeFile': async (query, source, options) => {
      const { body, isSingleUse, streamSize, reportEnd } = toContent(source, options?.onProgress);
      const entry = await client.sendContent(
        sandboxes.writeFile,
        { query, ...options },
        {
          ...{ body, isSingleUse, isRepeatable: !isSingleUse, timeoutMs: UPLOAD_TIMEOUT_MS },
          headers: {
            'content-type': 'application/octet-stream',
            ...(streamSize !== null && { 'content-length': String(streamSize) }),
          },
        },
      );
      reportEnd();
      return entry as SandboxEntry;
    },
    'subjobs.logs': (runId, subjobId, options) => followLog(client, runId, subjobId, options),
  };
}
