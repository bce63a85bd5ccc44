import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentCache } from './content-cache.js';
import {
  ObjectMissingError,
  type AdoptOptions,
  type LinkOptions,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from './object-store.js';
import { openRegular } from './open-regular.js';
import { hashDescriptor } from './read-pieces.js';
import { explain, type S3Bucket } from './s3-bucket.js';

/** Up to this size, in bytes, a put is one request; asking first whether the object is there would only be another. */
const SMALL = 256 * 1024;
/** Times that a read is taken up again without a byte in between, each after twice the wait of the one before. */
const TRIES = 4;
const FIRST_WAIT_MS = 100;

/**
 * Objects at an S3-compatible server. Content of unknown hash is written to the local disk while it is hashed, and put
 * under its hash then, so that the server never holds half an object; what is brought in for steps stays in a cache there.
 * All that was answered is as durable as the server makes it: `durable` says nothing here.
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
      if (!(await this.isThere(object))) await this.bucket.putBytes(object.sha256, content);
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
      // Another name for the same bytes, made inside a sandbox, would let its owner change what the cache has.
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
    await this.cache.forget(sha256);
  }

  private async upload(path: string, object: StoredObject, signal?: AbortSignal): Promise<void> {
    if (!(await this.isThere(object))) await this.bucket.putFile(object.sha256, path, object.size, signal);
  }

  private async isThere({ sha256, size }: StoredObject): Promise<boolean> {
    return size > SMALL && (await this.bucket.size(sha256)) === size;
  }

  /** Goes on where it was cut off: servers hang up on those who read slowly, and restart. */
  private async *pieces(sha256: string, start: number, end?: number): AsyncGenerator<Buffer> {
    let next = start;
    for (let failures = 0; ;) {
      const before = next;
      try {
        const body = await this.bucket.get(sha256, next, end);
        for await (const piece of (body ?? []) as AsyncIterable<Buffer>) {
          const left = end === undefined ? piece.byteLength : end + 1 - next;
          next += piece.byteLength;
          yield piece.subarray(0, left);
          // Some servers take a range to the first byte for one to the last.
          if (piece.byteLength > left) return;
        }
        return;
      } catch (error) {
        failures = next > before ? 1 : failures + 1;
        if (error instanceof ObjectMissingError || failures >= TRIES) throw explain(error, sha256);
        await sleep(FIRST_WAIT_MS * 2 ** failures);
      }
    }
  }
}
