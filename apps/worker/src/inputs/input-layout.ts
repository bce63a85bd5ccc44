import { dirname, join } from 'node:path';
import { type FileRef } from '@millrace/contracts/runs/files';
import { type ObjectStore } from '@millrace/storage/object-store';
import { type InputEntry } from './input-list.js';

/** Files up to this size are copied through memory. */
const MAX_SMALL_FILE_BYTES = 64 * 1024;

/** The folder in which the files of a step are laid out. */
export interface InputTarget {
  /** Absolute path of `in/`, which exists and is empty. */
  folder: string;
  /** Whether `in/` is read-only for the command; its files can then be links to stored files. */
  isReadOnly: boolean;
  /** Makes a folder; nothing exists at its path. */
  makeFolder(path: string): void;
  /** Writes a file; nothing exists at its path. */
  writeFile(path: string, content: Uint8Array): Promise<void>;
}

/** Makes the files of one step's `in/`, entry by entry. */
export class InputLayout {
  private readonly made: Set<string>;

  constructor(
    private readonly target: InputTarget,
    private readonly store: ObjectStore,
  ) {
    this.made = new Set([target.folder]);
  }

  /** Lays out one entry. No two entries have the same path. */
  async add(entry: InputEntry): Promise<void> {
    const path = join(this.target.folder, entry.path);
    if (entry.kind === 'folder') return this.makeFolder(path);
    this.makeFolder(dirname(path));
    if (entry.kind === 'content') await this.target.writeFile(path, entry.content);
    else await this.layOutFile(entry.file, path);
  }

  /** Makes a copy if the command can write to the file, because a write to a link would change the store. */
  private async layOutFile({ sha256, size }: Pick<FileRef, 'sha256' | 'size'>, path: string): Promise<void> {
    if (this.target.isReadOnly) await this.store.link(sha256, path);
    else if (size > MAX_SMALL_FILE_BYTES) await this.store.link(sha256, path, { copy: true });
    else await this.target.writeFile(path, await this.store.readAll(sha256));
  }

  private makeFolder(folder: string): void {
    if (this.made.has(folder)) return;
    this.makeFolder(dirname(folder));
    this.target.makeFolder(folder);
    this.made.add(folder);
  }
}
