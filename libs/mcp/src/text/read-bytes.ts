import { iterateStream } from '@millrace/client';

/** Reads a part of a stream, and cancels the rest. @returns whether the stream ended with it */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  { skip = 0, max }: { skip?: number; max: number },
): Promise<{ bytes: Uint8Array; isEnd: boolean }> {
  const chunks: Uint8Array[] = [];
  let [skipped, size] = [0, 0];
  for await (const chunk of stream === null ? [] : iterateStream(stream)) {
    const start = Math.min(chunk.length, skip - skipped);
    skipped += start;
    if (start === chunk.length) continue;
    const part = chunk.subarray(start, start + max - size);
    chunks.push(part);
    size += part.length;
    if (start + part.length < chunk.length) return { bytes: Buffer.concat(chunks), isEnd: false };
  }
  return { bytes: Buffer.concat(chunks), isEnd: true };
}
