import type { CallOptions } from './call-input.js';
import type { ByteRange } from './read-download.js';
import type { Progress } from './report-progress.js';

/** Options of every method, in addition to the input of its operation. */
export type MethodOptions = CallOptions;

/** Options of the methods whose operation has a query besides its body. */
export interface QueryOptions<Query> extends CallOptions {
  query?: Query;
}

export interface DownloadOptions extends CallOptions {
  /** Only these bytes. */
  range?: ByteRange;
  /** Called whenever bytes have arrived. */
  onProgress?: (progress: Progress) => void;
}

export interface UploadOptions extends CallOptions {
  /**
   * Called whenever `fetch` has taken bytes, at most 64 KiB at a time. `loaded` begins again with each attempt. Browsers take a
   * Blob, a string or a Uint8Array as a whole: then this is called at the beginning of an attempt and after the response.
   */
  onProgress?: (progress: Progress) => void;
}
