import { dirname, join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type Slot } from '@millrace/isolation/slot';
import { type ObjectStore } from '@millrace/storage/object-store';
import { StepFailure } from './step-failure.js';

/** Up to this size, in bytes, a copy is worth a place in memory. */
const SMALL = 64 * 1024;

/**
 * Puts stored files below one step's `in/`. In a sandbox that is a read-only mount, so the files can be the stored ones
 * themselves; without one they are copies, for nothing else would keep a script from writing into the store.
 */
export class InputFolder {
  private readonly folder: string;
  /** Files and folders. */
  private readonly made: Set<string>;

  constructor(
    private readonly slot: Slot,
    private readonly store: ObjectStore,
  ) {
    this.folder = slot.host.input;
    this.made = new Set([this.folder]);
  }

  /** `path` is relative to `in/`. Two inputs may bring in the same file of the same source; once is enough. */
  async place(path: string, file: Pick<FileRef, 'sha256' | 'size'>): Promise<void> {
    const target = this.claim(path);
    if (target === null) return;
    if (this.slot.isolated) await this.store.link(file.sha256, target);
    else if (file.size > SMALL) await this.store.link(file.sha256, target, { copy: true });
    else await this.slot.writeInputFile(target, await this.store.readAll(file.sha256));
  }

  /** Writes a file that is not stored by itself. */
  async write(path: string, content: Buffer): Promise<void> {
    const target = this.claim(path);
    if (target !== null) await this.slot.writeInputFile(target, content);
  }

  makeFolder(path: string): void {
    this.make(join(this.folder, checked(path)));
  }

  /** The place of a file, in its folder; null where there is something already. */
  private claim(path: string): string | null {
    const target = join(this.folder, checked(path));
    if (this.made.has(target)) return null;
    this.make(dirname(target));
    this.made.add(target);
    return target;
  }

  private make(folder: string): void {
    if (this.made.has(folder)) return;
    this.make(dirname(folder));
    this.slot.makeInputFolder(folder);
    this.made.add(folder);
  }
}

/** Paths come out of messages and manifests: none of them may lead out of `in/`. */
function checked(path: string): string {
  const wrong =
    path.includes('\0') || path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
  if (wrong) throw new StepFailure(`cannot bring in a file of the name ${JSON.stringify(path)}`);
  return path;
}
