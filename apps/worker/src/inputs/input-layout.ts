import { dirname, join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type InputEntry } from './input-list.js';

/** Up to this size, in bytes, a copy is worth a place in memory. */
const SMALL = 64 * 1024;

/** Where the files of a step are laid out. */
export interface InputTarget {
  /** Absolute path of `in/`, which is there and empty. */
  folder: string;
  /** Whether `in/` is read-only for the command: then its files can be the stored ones themselves. */
  isReadOnly: boolean;
  /** Makes a folder where there is nothing. */
  makeFolder(path: string): void;
  /** Writes a file where there is nothing. */
  writeFile(path: string, content: Uint8Array): Promise<void>;
}

/** Makes the files of one step's `in/`, in as many parts as its caller likes. */
export class InputLayout {
  private readonly made: Set<string>;

  constructor(
    private readonly place: InputTarget,
    private readonly store: ObjectStore,
  ) {
    this.made = new Set([place.folder]);
  }

  /** Lays out one more entry. Entries of one path must not come twice. */
  async add(entry: InputEntry): Promise<void> {
    const target = join(this.place.folder, entry.path);
    if (entry.kind === 'folder') return this.makeFolder(target);
    this.makeFolder(dirname(target));
    if (entry.kind === 'content') await this.place.writeFile(target, entry.content);
    else await this.bring(entry.file, target);
  }

  /** If a command could write to a stored file, it would change the store: it gets a copy then. */
  private async bring({ sha256, size }: Pick<FileRef, 'sha256' | 'size'>, target: string): Promise<void> {
    if (this.place.isReadOnly) await this.store.link(sha256, target);
    else if (size > SMALL) await this.store.link(sha256, target, { copy: true });
    else await this.place.writeFile(target, await this.store.readAll(sha256));
  }

  private makeFolder(folder: string): void {
    if (this.made.has(folder)) return;
    this.makeFolder(dirname(folder));
    this.place.makeFolder(folder);
    this.made.add(folder);
  }
}
