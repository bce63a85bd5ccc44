import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegular } from '../disk/open-regular.js';
import { hashDescriptor } from '../disk/read-pieces.js';
import {
  ObjectMissingError,
  type AdoptOptions,
  type LinkOptions,
  type ListedObject,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from '../object-store.js';
import type { ContentCache } from './content-cache.js';
import { explain, type S3Bucket } from './s3-bucket.js';

/**
 * Up to this size in bytes a put is one request, and checking first whether the object exists would only add another.
 */
const MAX_UNCHECKED_BYTES = 256 * 1024;
/** Maximum number of consecutive attempts to resume a read without a new byte; the delay doubles each time. */
const MAX_READ_ATTEMPTS = 4;
const INITIAL_RETRY_DELAY_MS = 100;

/**
 * Stores objects at an S3-compatible server. Content of unknown hash is written to the local disk while it is hashed,
 * and then uploaded under its hash, so the server never has part of an object. Objects downloaded for steps stay in a
 * local cache. The server determines the durability, so the option `durable` has no effect.
 */
export class S3Store implements ObjectStore {
  constructor(
    private readonly bucket: S3Bucket,
    private readonly cache: ContentCache,
  ) {}

  async put(
    content: Uint8Array | AsyncIterable<Uint8Array>,
    { signal, announce }: PutOptions = {},
  ): Promise<StoredObject> {
    if (content instanceof Uint8Array) {
      const object = { sha256: hash('sha256', content, 'hex'), size: content.byteLength };
      if (!(await this.isStored(object))) await this.bucket.putBytes(object.sha256, content);
      return object;
    }
    const store = async (path: string, object: StoredObject) => {
      await announce?.(object);
      await this.upload(path, object, signal);
    };
    return this.cache.spool(content, store, signal);
  }

  async adopt(path: string, options: AdoptOptions = {}): Promise<StoredObject> {
    const file = openRegular(path);
    try {
      const object = { sha256: await hashDescriptor(file.descriptor, options.signal), size: file.size };
      await this.upload(path, object, options.signal);
      if (options.keep === true) return object;
      // A second hard link, made inside a sandbox, would let its owner change the cached object.
      if (file.nlink > 1) fs.unlinkSync(path);
      else await this.cache.keep(path, object);
      return object;
    } finally {
      fs.closeSync(file.descriptor);
    }
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.size(sha256)) !== null;
  }

  async size(sha256: string): Promise<number | null> {
    return this.bucket.size(sha256);
  }

  read(sha256: string, range: { start?: number; end?: number } = {}): Readable {
    return Readable.from(this.pieces(sha256, range.start ?? 0, range.end), { objectMode: false });
  }

  async readAll(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(sha256, range?.start ?? 0, range?.end)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async link(sha256: string, target: string, options: LinkOptions = {}): Promise<void> {
    await this.cache.link(sha256, target, options, () => this.pieces(sha256, 0));
  }

  async remove(sha256: string): Promise<void> {
    await this.bucket.remove(sha256);
    await this.cache.evict(sha256);
  }

  check(): Promise<void> {
    return this.bucket.check();
  }

  list(digits: string): AsyncIterable<ListedObject[]> {
    return this.bucket.list(digits);
  }

  private async upload(path: string, object: StoredObject, signal?: AbortSignal): Promise<void> {
    if (!(await this.isStored(object))) await this.bucket.putFile(object.sha256, path, object.size, signal);
  }

  private async isStored({ sha256, size }: StoredObject): Promise<boolean> {
    return size > MAX_UNCHECKED_BYTES && (await this.bucket.size(sha256)) === size;
  }

  /** Resumes a read that was cut off: servers disconnect slow readers, and restart. */
  private async *pieces(sha256: string, start: number, end?: number): AsyncGenerator<Buffer> {
    let position = start;
    for (let failures = 0; ;) {
      const previousPosition = position;
      try {
        const body = await this.bucket.get(sha256, position, end);
        for await (const piece of (body ?? []) as AsyncIterable<Buffer>) {
          const remainingBytes = end === undefined ? piece.byteLength : end + 1 - position;
          position += piece.byteLength;
          yield piece.subarray(0, remainingBytes);
          // Some servers treat a range up to the first byte as one up to the last.
          if (piece.byteLength > remainingBytes) return;
        }
        return;
      } catch (error) {
        failures = position > previousPosition ? 1 : failures + 1;
        if (error instanceof ObjectMissingError || failures >= MAX_READ_ATTEMPTS) throw explain(error, sha256);
        await sleep(INITIAL_RETRY_DELAY_MS * 2 ** failures);
      }
    }
  }
}
