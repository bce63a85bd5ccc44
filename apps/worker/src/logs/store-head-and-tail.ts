import { type z } from 'zod';
import { type storedLog } from '@millrace/contracts/runs/stored-log';
import { type ObjectStore } from '@millrace/storage/object-store';

/**
 * Stores a log whose length is not known before its end: all of it, or its first `head` and its last `tail` bytes. Holds as
 * much in memory, not the log.
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
    const own = chunk.subarray(0, head - firstBytes);
    if (own.length > 0) first.push(own);
    firstBytes += own.length;
    if (own.length < chunk.length) last.push(chunk.subarray(own.length));
    lastBytes += chunk.length - own.length;
    let passed = 0;
    while (lastBytes - (last[passed]?.length ?? Infinity) >= tail) lastBytes -= last[passed++]?.length ?? 0;
    if (passed > 0) last = last.slice(passed);
  }
  if (lastBytes > tail && last[0]) last[0] = last[0].subarray(lastBytes - tail);
  const kept = await store.put(iterate([...first, ...last]));
  const gap = total - kept.size;
  return gap === 0 ? { ...kept, truncated: false } : { ...kept, truncated: true, head, total };
}

async function* iterate(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
