import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ObjectMissingError, StoreFailedError } from './object-store.js';
import type { S3Place } from './read-storage-url.js';
import { PART_BYTES, sendParts } from './send-parts.js';

/**
 * Objects of one bucket by their hash, one request each: `<prefix>ab/cdef…`. The client retries what can be retried.
 * @throws ObjectMissingError, or StoreFailedError, which carries nothing of the request: that holds the signature
 */
export class S3Bucket {
  constructor(
    private readonly client: S3Client,
    private readonly place: Pick<S3Place, 'bucket' | 'prefix'>,
  ) {}

  /** In bytes; null where there is none. */
  async size(sha256: string): Promise<number | null> {
    try {
      const head = await this.client.send(new HeadObjectCommand(this.name(sha256)));
      return head.ContentLength ?? 0;
    } catch (error) {
      const failure = explain(error, sha256);
      if (failure instanceof ObjectMissingError) return null;
      throw failure;
    }
  }

  async putBytes(sha256: string, content: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({ ...this.name(sha256), Body: content, ContentLength: content.byteLength });
    await this.client.send(command).catch((error: unknown) => fail(error, sha256));
  }

  /** In parts where it is large. @throws the reason of `signal`; nothing of it is left then */
  async putFile(sha256: string, path: string, size: number, signal = new AbortController().signal): Promise<void> {
    const file = await open(path);
    try {
      if (size > PART_BYTES) await sendParts(this.client, this.name(sha256), { file, size }, signal);
      else await this.putBytes(sha256, await file.readFile());
    } catch (error) {
      signal.throwIfAborted();
      fail(error, sha256);
    } finally {
      await file.close();
    }
  }

  /** From byte `start` to byte `end`, both included; null where the object ends before. */
  async get(sha256: string, start: number, end?: number): Promise<Readable | null> {
    const isWhole = start === 0 && end === undefined;
    const range = isWhole ? {} : { Range: `bytes=${start}-${end ?? ''}` };
    try {
      const answer = await this.client.send(new GetObjectCommand({ ...this.name(sha256), ...range }));
      const body = answer.Body as Readable | undefined;
      if (start === 0 || answer.ContentRange?.startsWith(`bytes ${start}-`)) return body ?? null;
      body?.destroy();
      throw new StoreFailedError('it does not answer ranges');
    } catch (error) {
      if (statusOf(error) === 416) return null;
      return fail(error, sha256);
    }
  }

  async remove(sha256: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.name(sha256))).catch((error: unknown) => fail(error, sha256));
  }

  private name(sha256: string): { Bucket: string; Key: string } {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new ObjectMissingError(sha256);
    const { bucket, prefix } = this.place;
    return { Bucket: bucket, Key: `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}` };
  }
}

const fail = (error: unknown, sha256: string): never => {
  throw explain(error, sha256);
};

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** A bucket that is not there is 404 as well, and would make every object seem lost. */
export function explain(error: unknown, sha256: string): Error {
  if (error instanceof ObjectMissingError || error instanceof StoreFailedError) return error;
  const { name = 'Error', code } = error as { name?: string; code?: string };
  if (['NoSuchKey', 'NotFound'].includes(name)) return new ObjectMissingError(sha256);
  return new StoreFailedError(code ?? name, statusOf(error));
}
