import { type StepSlot } from '@millrace/isolation/slot/step-slot';
import { type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { type BulkThread } from '../bulk/bulk-thread.js';
import { collectOutputs, type Outputs } from './collect-outputs.js';

export interface StoreOutputsTools {
  slot: StepSlot;
  store: ObjectStore;
  bulk: BulkThread;
  signal: AbortSignal;
}

/** The main thread stores this much, in about 50 ms and in slices. The slot's bulk thread stores more: it takes as long to start. */
const MAX_ON_MAIN_THREAD = { entries: 500, bytes: 16 * 1024 * 1024 };

/** Moves the contents of `out/` into the store. @throws StepFailedError; the reason of `signal` */
export async function storeOutputs({ slot, store, bulk, signal }: StoreOutputsTools): Promise<Outputs> {
  const [folder, commandPath, maxBytes] = [slot.folders.output, `${slot.cwd}/out`, slot.limits.diskBytes];
  const outputs = await collectOutputs(folder, commandPath, {
    store,
    maxBytes,
    signal,
    abandonAbove: MAX_ON_MAIN_THREAD,
  });
  return outputs ?? bulk.collect(folder, commandPath, maxBytes, signal);
}

/** Moves one file of `size` bytes into the store. @throws NotARegularFileError; the reason of `signal` */
export function storeFile(
  path: string,
  size: number,
  { store, bulk, signal }: StoreOutputsTools,
): Promise<StoredObject> {
  return size > MAX_ON_MAIN_THREAD.bytes ? bulk.adopt(path, signal) : store.adopt(path, { signal });
}
