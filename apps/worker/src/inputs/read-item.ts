import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { RANGE_BYTES, rangeAt } from '@millrace/graph/run/range-list';
import { type ObjectStore } from '@millrace/storage/object-store';

/** The bytes that belong to one child (`task` from 1) of a split. */
export async function readItem(
  items: NonNullable<DispatchPayload['items']>,
  task: number,
  store: ObjectStore,
): Promise<Buffer> {
  const start = (task - 1) * RANGE_BYTES;
  const entry = await store.readAll(items.index, { start, end: start + RANGE_BYTES - 1 });
  const { offset, length } = rangeAt(entry, 0);
  return length === 0 ? Buffer.alloc(0) : store.readAll(items.items, { start: offset, end: offset + length - 1 });
}
