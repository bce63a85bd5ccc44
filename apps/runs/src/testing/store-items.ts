import { encodeRanges } from '@millrace/graph/run/range-list';
import type { Database } from '@millrace/persistence/database';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import type { SplitRun } from './insert-split-run.js';

/** Stores the lines that a run was split into, as its split does. */
export async function storeItems(
  database: Database,
  folder: string,
  { run, plan }: SplitRun,
  lines: readonly string[],
): Promise<void> {
  const store = new DiskStore(folder);
  const items = await store.put(Buffer.from(lines.map((line) => `${line}\n`).join('')));
  let offset = 0;
  const ranges = lines.map((line) => {
    const range = { offset, length: Buffer.byteLength(line) };
    offset += range.length + 1;
    return range;
  });
  const index = await store.put(encodeRanges(ranges));
  const segment = plan.steps[plan.scopes[0]!.split]!.segment;
  const split = { items: items.sha256, index: index.sha256, count: lines.length };
  await database.client.runSegment.updateMany({ where: { runId: run.id, segment }, data: { split } });
}
