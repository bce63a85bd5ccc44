import { type StepSlot } from '@millrace/isolation/slot/step-slot';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type BulkThread } from '../bulk/bulk-thread.js';
import { InputLayout } from './input-layout.js';
import { type InputEntries, type InputEntry } from './input-list.js';

/** Entries that this thread lays out. It recycles files and folders of earlier steps, which takes 20 µs each instead of 70. */
const MAX_ENTRIES_ON_MAIN_THREAD = 2_000;
/** Entries in one message to the bulk thread: copying a thousand takes about 3 ms. */
const BATCH_ENTRIES = 1_000;

export interface LayOutTools {
  slot: StepSlot;
  store: ObjectStore;
  bulk: BulkThread;
  signal: AbortSignal;
}

/** Makes the files of one step's `in/`. The bulk thread makes many, so that the event loop stays free. @throws the reason of `signal` */
export async function layOutInputs(entries: InputEntries, tools: LayOutTools): Promise<void> {
  await (entries.length > MAX_ENTRIES_ON_MAIN_THREAD
    ? layOutOnBulkThread(entries, tools)
    : layOutOnMainThread(entries, tools));
}

async function layOutOnMainThread(entries: InputEntries, { slot, store, signal }: LayOutTools): Promise<void> {
  const target = {
    folder: slot.folders.input,
    isReadOnly: slot.isInputReadOnly,
    makeFolder: (path: string) => slot.makeInputFolder(path),
    writeFile: (path: string, content: Uint8Array) => slot.writeInputFile(path, content),
  };
  const layout = new InputLayout(target, store);
  const slice = new TimeSlice();
  for (const entry of entries) {
    await layout.add(entry);
    if (!slice.isOver) continue;
    await slice.yieldToEventLoop();
    signal.throwIfAborted();
  }
}

async function layOutOnBulkThread(entries: InputEntries, { slot, bulk, signal }: LayOutTools): Promise<void> {
  await bulk.beginLayout(slot.folders.input, slot.isInputReadOnly);
  let batch: InputEntry[] = [];
  const send = async () => {
    signal.throwIfAborted();
    await bulk.layOut(batch);
    batch = [];
  };
  for (const entry of entries) if (batch.push(entry) === BATCH_ENTRIES) await send();
  if (batch.length > 0) await send();
}
