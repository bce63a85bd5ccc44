import { dirname, join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type Slot } from '@millrace/isolation/slot';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type InputEntry } from './input-list.js';

/** Up to this size, in bytes, a copy is worth a place in memory. */
const SMALL = 64 * 1024;

/**
 * Makes the files of one step's `in/`. In a sandbox that is a read-only mount, so the files can be the stored ones
 * themselves; without one they are copies, because otherwise a script could write into the store.
 */
export async function layOutInputs(entries: readonly InputEntry[], slot: Slot, store: ObjectStore): Promise<void> {
  const folders = new InputFolders(slot);
  for (const entry of entries) {
    const target = join(slot.host.input, entry.path);
    if (entry.kind === 'folder') folders.make(target);
    else {
      folders.make(dirname(target));
      await (entry.kind === 'file'
        ? place(entry.file, target, slot, store)
        : slot.writeInputFile(target, entry.content));
    }
  }
}

async function place(file: Pick<FileRef, 'sha256' | 'size'>, target: string, slot: Slot, store: ObjectStore) {
  if (slot.isolated) await store.link(file.sha256, target);
  else if (file.size > SMALL) await store.link(file.sha256, target, { copy: true });
  else await slot.writeInputFile(target, await store.readAll(file.sha256));
}

class InputFolders {
  private readonly made: Set<string>;

  constructor(private readonly slot: Slot) {
    this.made = new Set([slot.host.input]);
  }

  make(folder: string): void {
    if (this.made.has(folder)) return;
    this.make(dirname(folder));
    this.slot.makeInputFolder(folder);
    this.made.add(folder);
  }
}
