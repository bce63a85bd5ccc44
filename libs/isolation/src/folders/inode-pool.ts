import * as fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Recycler } from './wipe-folder.js';

/** Number of files, and of folders: a gather of a thousand children has a folder for each of them. */
const DEFAULT_CAPACITY = 2_000;
/** Larger files are rare, and not worth their disk space. */
const MAX_FILE_BYTES = 64 * 1024;
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const USER = process.geteuid?.();
const { O_WRONLY, O_NOFOLLOW } = fs.constants;

/**
 * Files and folders to use again, on the disk of `folder`. On ext4 making one takes 0.07 ms, or 1 ms if many were removed in
 * the last minute; renaming one takes 0.02 ms.
 */
export class InodePool implements Recycler {
  private readonly folders: string[] = [];
  private readonly files: { path: string; size: number }[] = [];
  private lastNumber = 0;

  constructor(
    private readonly folder: string,
    private readonly capacity = DEFAULT_CAPACITY,
  ) {
    // Mode 0700, because the files still contain earlier inputs.
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Nothing may be at `path`. */
  makeFolder(path: string): void {
    const spare = this.folders.pop();
    if (spare === undefined) fs.mkdirSync(path);
    else fs.renameSync(spare, path);
  }

  /** Nothing may be at `path`. */
  async writeFile(path: string, content: Uint8Array): Promise<void> {
    if (content.length > MAX_FILE_BYTES) return writeFile(path, content, { flag: 'wx' });
    const spare = this.files.pop();
    if (spare === undefined) return fs.writeFileSync(path, content, { flag: 'wx' });
    fs.renameSync(spare.path, path);
    const descriptor = fs.openSync(path, O_WRONLY | O_NOFOLLOW);
    try {
      // Truncated afterwards: if the file is emptied first, ext4 writes it to the disk at once.
      fs.writeFileSync(descriptor, content);
      if (spare.size > content.length) fs.ftruncateSync(descriptor, content.length);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  recycleFile(path: Buffer): boolean {
    if (this.files.length >= this.capacity) return false;
    const entry = fs.lstatSync(path);
    // A file with a second name is usually a stored object.
    if (!entry.isFile() || entry.nlink !== 1 || entry.size > MAX_FILE_BYTES) return false;
    const spare = this.moveToPool(path, entry, FILE_MODE);
    if (spare !== null) this.files.push({ path: spare, size: entry.size });
    return spare !== null;
  }

  recycleFolder(path: Buffer, entry: fs.Stats): boolean {
    if (this.folders.length >= this.capacity) return false;
    const spare = this.moveToPool(path, entry, FOLDER_MODE);
    if (spare !== null) this.folders.push(spare);
    return spare !== null;
  }

  /** Refuses entries that a command without isolation may own, and restores permissions. */
  private moveToPool(path: Buffer, entry: fs.Stats, mode: number): string | null {
    if (entry.uid !== USER) return null;
    const spare = join(this.folder, String(++this.lastNumber));
    try {
      if ((entry.mode & 0o7777) !== mode) fs.chmodSync(path, mode);
      fs.renameSync(path, spare);
      return spare;
    } catch {
      return null;
    }
  }
}
