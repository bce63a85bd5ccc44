import { type Isolation } from '@millrace/isolation/prepare/prepare-isolation';
import { type Slot } from '@millrace/isolation/slot/slot';
import { type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { type BulkThread } from '../bulk/bulk-thread.js';
import { collectOutputs, type Outputs } from './collect-outputs.js';

export interface TakeTools {
  slot: Slot;
  isolation: Isolation;
  store: ObjectStore;
  bulk: BulkThread;
  signal: AbortSignal;
}

/** Up to that the event loop does it, in about 50 ms and in slices; more is for the slot's thread, which takes as long to start. */
const LITTLE = { entries: 500, bytes: 16 * 1024 * 1024 };

/** Stores what a command left in `out/`, and takes it from there. @throws StepFailure; the reason of `signal` */
export async function takeOutputs({ slot, isolation, store, bulk, signal }: TakeTools): Promise<Outputs> {
  const [folder, seenAs, maxBytes] = [slot.folders.output, `${slot.cwd}/out`, isolation.limits.diskBytes];
  const outputs = await collectOutputs(folder, seenAs, { store, maxBytes, signal, atMost: LITTLE });
  return outputs ?? bulk.collect(folder, seenAs, maxBytes, signal);
}

/** Stores one file of so many bytes, and takes it from `path`. @throws NotARegularFileError; the reason of `signal` */
export function takeFile(path: string, size: number, { store, bulk, signal }: TakeTools): Promise<StoredObject> {
  return size > LITTLE.bytes ? bulk.adopt(path, signal) : store.adopt(path, { signal });
}
