import { type Readable } from 'node:stream';

/** Identifies an object: the SHA-256 of its content as 64 lower-case hexadecimal digits, and its size in bytes. */
export interface StoredObject {
  sha256: string;
  size: number;
}

/** An object, and when it was stored or changed its place last. */
export interface ListedObject extends StoredObject {
  storedAt: Date;
}

export interface PutOptions {
  /**
   * Wait until the object survives a power failure (fsync of file and folder, 2–10 ms). For data that cannot be
   * recreated, such as uploads; a step can run again, so its output is not worth it.
   */
  durable?: boolean;
  /** Cancels the operation, which stores nothing and fails with the reason of the signal. */
  signal?: AbortSignal;
  /**
   * Called by a `put` of a stream when its content is known and before it is stored. A caller that deletes its objects
   * later can record the object first, so no unknown object ever exists. If it rejects, nothing is stored.
   */
  announce?: (object: StoredObject) => Promise<void>;
}

export interface AdoptOptions extends PutOptions {
  /** Leave the file in place and store a copy. */
  keep?: boolean;
}

export interface LinkOptions {
  /** Create a private, writable copy instead of a link to the stored bytes. */
  copy?: boolean;
}

/**
 * Stores immutable content under its hash: the same bytes are stored once, for all callers. Callers decide who may
 * read what; a hash from a user is never a permission.
 */
export interface ObjectStore {
  /** Stores bytes. A stream is hashed while it is written and never held in memory. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>;

  /**
   * Moves a local regular file into the store, without copying it on the same disk. No process may have it open for
   * writing.
   * Holes are neither read nor filled, even if the file has to be copied. @throws NotARegularFileError for anything
   * else, including symbolic links
   */
  adopt(path: string, options?: AdoptOptions): Promise<StoredObject>;

  has(sha256: string): Promise<boolean>;

  /** Size in bytes; null if there is no such object. */
  size(sha256: string): Promise<number | null>;

  /**
   * Reads from byte `start` to byte `end`, both inclusive, like an HTTP range. The stream fails with
   * `ObjectMissingError`.
   */
  read(sha256: string, range?: { start?: number; end?: number }): Readable;

  /** Reads the whole content, or a range of it. @throws ObjectMissingError */
  readAll(sha256: string, range?: { start: number; end: number }): Promise<Buffer>;

  /** Links the object to a local path. The link shares the stored bytes, so it must not be written to. */
  link(sha256: string, target: string, options?: LinkOptions): Promise<void>;

  /** Deletes an object if it exists; links remain. Fails, or has ended, within `REMOVE_TIMEOUT_MS`. */
  remove(sha256: string): Promise<void>;

  /** Checks that the store can be reached and read. @throws StoreFailedError, or the error of the file system */
  check(): Promise<void>;

  /** Lists the objects whose hashes start with two digits, in pages of up to 1,000 and in any order. */
  list(digits: string): AsyncIterable<ListedObject[]>;
}

/** Longest time that deleting an object takes. */
export const REMOVE_TIMEOUT_MS = 30_000;

/** Maximum number of objects in a page of `list`. */
export const LIST_PAGE_SIZE = 1_000;

export class ObjectMissingError extends Error {
  override name = 'ObjectMissingError';
  constructor(readonly sha256: string) {
    super(`stored object ${sha256} is missing`);
  }
}

/** The object server failed, even after retries. */
export class StoreFailedError extends Error {
  override name = 'StoreFailedError';
  /** @param status HTTP status, if there was a response */
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
