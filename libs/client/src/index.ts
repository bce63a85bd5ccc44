/** The client of Millrace's REST API. */
export { MillraceClient, type ClientResources } from './client.js';
export { CoreClient, type ClientOptions, type Content } from './core.js';
export type { CallArguments, CallInput, CallOptions, CallResult, LooseInput } from './call-input.js';
export type * from './generated/types.js';
export type { Resources } from './generated/resources.js';
export { List, type RecordOf } from './list.js';
export type { DownloadOptions, MethodOptions, QueryOptions, UploadOptions } from './method-options.js';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  MillraceError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './millrace-error.js';
export { UnexpectedResponseError, type Validate } from './read-response.js';
export type { Operation } from './operation.js';
export { Download, type ByteRange } from './read-download.js';
export type { Progress } from './report-progress.js';
export type { RunEvent, RunEventsOptions } from './run-events.js';
export type { NotificationEvent, NotificationEventsOptions } from './notification-events.js';
export type { LogOptions } from './follow-log.js';
export { findLogGap, LogTimeline, type LogGap } from './log-timeline.js';
export type { ExecEvent } from './exec-in-sandbox.js';
export type { AppendOptions, FireOptions } from './transfers.js';
export type { ByteStream } from './byte-stream.js';
export type { UploadSource, UploadStream, UploadValue } from './upload-source.js';
export type { WaitOptions } from './wait-for-run.js';
export { sessionInMemory, SessionTokens, type SessionCredentials, type SessionStore } from './session-tokens.js';
export { sessionInBrowser } from './session-in-browser.js';
export type { TokenSource } from './token-source.js';
export type { Fetch } from './transport.js';
export { iterateStream } from './iterate-stream.js';
export { normalizeBase } from './build-url.js';
export { pause } from './retry-delay.js';
export { isFinalRun, isFinalSubjob } from './statuses.js';
