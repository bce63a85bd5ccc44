import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  LIST_PAGE_SIZE,
  ObjectMissingError,
  REMOVE_TIMEOUT_MS,
  StoreFailedError,
  type ListedObject,
} from '../object-store.js';
import type { S3Place } from '../settings/read-storage-url.js';
import { PART_BYTES, sendParts } from './send-parts.js';

const CHECK_TIMEOUT_MS = 5_000;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Objects of one bucket at `<prefix>ab/cdef…`, with one request per call. The client retries where possible.
 * @throws ObjectMissingError, or StoreFailedError, which contains nothing of the request because that includes the
 * signature
 */
export class S3Bucket {
  constructor(
    private readonly client: S3Client,
    private readonly place: Pick<S3Place, 'bucket' | 'prefix'>,
  ) {}

  /** Size in bytes; null if the object does not exist. */
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
    await this.client.send(command).catch((error: unknown) => throwExplained(error, sha256));
  }

  /** Uploads a large file in parts. @throws the reason of `signal`; nothing of the object is then left */
  async putFile(sha256: string, path: string, size: number, signal = new AbortController().signal): Promise<void> {
    const file = await open(path);
    try {
      if (size > PART_BYTES) await sendParts(this.client, this.name(sha256), { file, size }, signal);
      else await this.putBytes(sha256, await file.readFile());
    } catch (error) {
      signal.throwIfAborted();
      throwExplained(error, sha256);
    } finally {
      await file.close();
    }
  }

  /** Reads from byte `start` to byte `end`, both inclusive; null if the object ends before. */
  async get(sha256: string, start: number, end?: number): Promise<Readable | null> {
    const isWhole = start === 0 && end === undefined;
    const range = isWhole ? {} : { Range: `bytes=${start}-${end ?? ''}` };
    try {
      const response = await this.client.send(new GetObjectCommand({ ...this.name(sha256), ...range }));
      const body = response.Body as Readable | undefined;
      if (start === 0 || response.ContentRange?.startsWith(`bytes ${start}-`)) return body ?? null;
      body?.destroy();
      throw new StoreFailedError('it does not support ranges');
    } catch (error) {
      if (statusOf(error) === 416) return null;
      return throwExplained(error, sha256);
    }
  }

  async remove(sha256: string): Promise<void> {
    const abortSignal = AbortSignal.timeout(REMOVE_TIMEOUT_MS);
    await this.client
      .send(new DeleteObjectCommand(this.name(sha256)), { abortSignal })
      .catch((error: unknown) => throwExplained(error, sha256));
  }

  /** Lists the objects whose hashes start with two digits, page by page. */
  async *list(digits: string): AsyncGenerator<ListedObject[]> {
    const { bucket, prefix } = this.place;
    const folder = `${prefix}${digits}/`;
    for (let token: string | undefined; ;) {
      const place = { Bucket: bucket, Prefix: folder, MaxKeys: LIST_PAGE_SIZE };
      const page = await this.client
        .send(new ListObjectsV2Command({ ...place, ...(token !== undefined && { ContinuationToken: token }) }))
        .catch((error: unknown) => throwExplained(error, digits));
      const objects = (page.Contents ?? []).map(({ Key = '', Size: size = 0, LastModified: storedAt = new Date() }) => {
        return { sha256: `${digits}${Key.slice(folder.length)}`, size, storedAt };
      });
      yield objects.filter(({ sha256 }) => HASH.test(sha256));
      token = page.NextContinuationToken;
      if (token === undefined) return;
    }
  }

  /**
   * Lists objects of a folder that has none. This shows that the bucket exists and that the credentials are valid, and costs the
   * same for a bucket of any size. A page that other pages follow fails on s3rver with Node.js 18 or newer.
   */
  async check(): Promise<void> {
    const { bucket, prefix } = this.place;
    const abortSignal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    await this.client
      .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}health/`, MaxKeys: 1 }), { abortSignal })
      .catch((error: unknown) => throwExplained(error, ''));
  }

  private name(sha256: string): { Bucket: string; Key: string } {
    if (!HASH.test(sha256)) throw new ObjectMissingError(sha256);
    const { bucket, prefix } = this.place;
    return { Bucket: bucket, Key: `${prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}` };
  }
}

const throwExplained = (error: unknown, sha256: string): never => {
  throw explain(error, sha256);
};

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Codes of Node.js and OpenSSL for a certificate that is not trusted, or that has another name. */
const UNTRUSTED_CODES = /^(UNABLE_TO_(GET|VERIFY)_|SELF_SIGNED_CERT|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_)/;
const TRUST_ADVICE =
  'its certificate must contain the name in STORAGE_URL, and be signed by a known authority or by one in the file NODE_EXTRA_CA_CERTS';

/** A missing bucket is a 404 as well, but must not make every object seem missing. */
export function explain(error: unknown, sha256: string): Error {
  if (error instanceof ObjectMissingError || error instanceof StoreFailedError) return error;
  const { name = 'Error', code } = error as { name?: string; code?: string };
  if (['NoSuchKey', 'NotFound'].includes(name)) return new ObjectMissingError(sha256);
  const advice = UNTRUSTED_CODES.test(code ?? '') ? `; ${TRUST_ADVICE}` : '';
  return new StoreFailedError(`${code ?? name}${advice}`, statusOf(error));
}
