import { type z } from 'zod';
import { type storedLog } from '@millrace/contracts/runs/stored-log';
import { type ObjectStore } from '@millrace/storage/object-store';

/**
 * Stores a log of unknown length: all of it, or its first `head` and last `tail` bytes. It needs memory for these bytes, not
 * for the log.
 */
export async function storeHeadAndTail(
  log: AsyncIterable<Uint8Array>,
  store: ObjectStore,
  { head, tail }: { head: number; tail: number },
): Promise<z.infer<typeof storedLog>> {
  const first: Uint8Array[] = [];
  let last: Uint8Array[] = [];
  let [total, firstBytes, lastBytes] = [0, 0, 0];
  for await (const chunk of log) {
    total += chunk.length;
    const headPart = chunk.subarray(0, head - firstBytes);
    if (headPart.length > 0) first.push(headPart);
    firstBytes += headPart.length;
    if (headPart.length < chunk.length) last.push(chunk.subarray(headPart.length));
    lastBytes += chunk.length - headPart.length;
    let dropped = 0;
    while (lastBytes - (last[dropped]?.length ?? Infinity) >= tail) lastBytes -= last[dropped++]?.length ?? 0;
    if (dropped > 0) last = last.slice(dropped);
  }
  if (lastBytes > tail && last[0]) last[0] = last[0].subarray(lastBytes - tail);
  const stored = await store.put(toStream([...first, ...last]));
  const gap = total - stored.size;
  return gap === 0 ? { ...stored, truncated: false } : { ...stored, truncated: true, head, total };
}

async function* toStream(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
