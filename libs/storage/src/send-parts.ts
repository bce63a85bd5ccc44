import { type FileHandle } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StoreFailedError } from './object-store.js';

/** In bytes; the least that S3 takes as a part. */
export const PART_BYTES = 5 * 2 ** 20;
/** S3 takes no more parts than that for one object; beyond 50 GB they grow. */
const MAX_PARTS = 10_000;
/** Parts of one object on their way at the same time. */
const AT_ONCE = 2;

/**
 * Puts a file as an object in parts, of which none is left at the server where it fails. Each part is tried again by itself.
 * Memory is taken once and used for one part after the other: `Upload` of Amazon's SDK, which takes it anew, grew the process
 * by 60 to 70 MiB in place of 40, and took twice the time.
 * @throws what the client says; the reason of `signal`
 */
export async function sendParts(
  client: S3Client,
  name: { Bucket: string; Key: string },
  content: { file: FileHandle; size: number },
  signal: AbortSignal,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(name), { abortSignal: signal });
  const upload = { ...name, UploadId };
  try {
    const MultipartUpload = { Parts: await sendAll(client, upload, content, signal) };
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), { abortSignal: signal });
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

async function sendAll(
  client: S3Client,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  { file, size }: { file: FileHandle; size: number },
  signal: AbortSignal,
): Promise<CompletedPart[]> {
  const broken = new AbortController();
  const abortSignal = AbortSignal.any([broken.signal, signal]);
  const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
  const parts: CompletedPart[] = [];
  let next = 0;
  const send = async () => {
    const memory = Buffer.allocUnsafeSlow(partBytes);
    for (let start = next++ * partBytes; start < size; start = next++ * partBytes) {
      const [Body, index] = [memory.subarray(0, Math.min(partBytes, size - start)), start / partBytes];
      await fill(Body, file, start);
      const part = { ...upload, PartNumber: index + 1, Body, ContentLength: Body.byteLength };
      const { ETag } = await client.send(new UploadPartCommand(part), { abortSignal });
      parts[index] = { PartNumber: index + 1, ETag };
    }
  };
  let failure: Error | undefined;
  const end = (error: unknown) => {
    failure ??= error as Error;
    broken.abort();
  };
  // None goes on once another has failed, and the file is closed only when none reads it any more.
  await Promise.all(Array.from({ length: AT_ONCE }, () => send().catch(end)));
  if (failure) throw failure;
  return parts;
}

async function fill(memory: Buffer, file: FileHandle, start: number): Promise<void> {
  for (let at = 0; at < memory.byteLength;) {
    const { bytesRead } = await file.read(memory, at, memory.byteLength - at, start + at);
    if (bytesRead === 0) throw new StoreFailedError('a file became shorter while it was sent');
    at += bytesRead;
  }
}
