import { type Readable } from 'node:stream';

/** What names an object: the SHA-256 of its content as 64 lower-case hexadecimal digits, and its size in bytes. */
export interface StoredObject {
  sha256: string;
  size: number;
}

export interface PutOptions {
  /**
   * Wait until the object would survive a power failure (fsync of file and folder, 2–10 ms). For what cannot be made
   * again, such as uploads; a step's output is not worth it, because the step can run again.
   */
  durable?: boolean;
  /** Gives up, with nothing stored and nothing left of it, and fails with the signal's reason. */
  signal?: AbortSignal;
  /**
   * Called by a `put` of a stream once its content is known and before it is stored, so that whoever deletes what they put
   * can note it first and nothing is ever there that nobody knows of. Where it fails, nothing is stored.
   */
  announce?: (object: StoredObject) => Promise<void>;
}

export interface AdoptOptions extends PutOptions {
  /** Leave the file where it is, and store a copy. */
  keep?: boolean;
}

export interface LinkOptions {
  /** Give a private, writable copy instead of a name for the stored bytes. */
  copy?: boolean;
}

/**
 * Immutable content, stored under its own hash: the same bytes are kept once, whoever puts them. Callers decide who may
 * read what; a hash alone must never be taken from a user as permission.
 */
export interface ObjectStore {
  /** Stores bytes; a stream is hashed on its way and never held in memory. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>;

  /**
   * Takes a local regular file over, without copying where it lies on the same disk; it is gone from `path` afterwards.
   * Nobody may hold it open for writing. Holes are neither read nor filled, also where the file has to be copied. Throws `NotARegularFileError` for anything else, symbolic links included.
   */
  adopt(path: string, options?: AdoptOptions): Promise<StoredObject>;

  has(sha256: string): Promise<boolean>;

  /** Size in bytes, or null where there is no such object. */
  size(sha256: string): Promise<number | null>;

  /** Content from byte `start` to byte `end`, both included, as in an HTTP range. The stream fails with `ObjectMissingError`. */
  read(sha256: string, range?: { start?: number; end?: number }): Readable;

  /** All of the content, or that range of it. Throws `ObjectMissingError`. */
  readAll(sha256: string, range?: { start: number; end: number }): Promise<Buffer>;

  /** Gives the object a name on the local disk. The name shares the stored bytes, so nobody may write through it. */
  link(sha256: string, target: string, options?: LinkOptions): Promise<void>;

  /** Forgets an object; names given by `link` stay. Not an error where there is none. */
  remove(sha256: string): Promise<void>;
}

export class ObjectMissingError extends Error {
  override name = 'ObjectMissingError';
  constructor(readonly sha256: string) {
    super(`stored object ${sha256} is missing`);
  }
}

/** The server that keeps the objects did not do what it should, also when it was asked again. */
export class StoreFailedError extends Error {
  override name = 'StoreFailedError';
  /** @param status that it answered with, if it answered */
  constructor(
    problem: string,
    readonly status?: number,
  ) {
    super(`the object store failed: ${problem}${status === undefined ? '' : ` (${status})`}`);
  }
}

export class NotARegularFileError extends Error {
  override name = 'NotARegularFileError';
  constructor(readonly path: string) {
    super(`${path} is not a regular file`);
  }
}
