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
   * Called whenever bytes have been sent. A browser that cannot stream requests sends a Blob as a whole, and calls this at its
   * beginning and at its end.
   */
  onProgress?: (progress: Progress) => void;
}
