import { hash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  ObjectMissingError,
  type AdoptOptions,
  type LinkOptions,
  type ListedObject,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from '../object-store.js';
import { hasHoles } from './data-extents.js';
import { listFolder } from './list-folder.js';
import { openRegular } from './open-regular.js';
import { copyHashed, copySparse, hashDescriptor } from './read-pieces.js';
import { writeHashed } from './write-hashed.js';

/**
 * Up to this size in bytes, blocking calls (20 µs) cost less than a round trip to the thread pool (150 µs per file).
 */
const MAX_SYNC_BYTES = 64 * 1024;
const READ_ONLY = 0o444;
const IS_ROOT = process.geteuid?.() === 0;
const COPY_ONCE = fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL;
const { O_RDONLY, O_DIRECTORY } = fs.constants;
/** An unfinished file that is older belongs to a process that was killed. */
const MAX_TEMPORARY_FILE_AGE_MS = 24 * 60 * 60_000;

/**
 * Stores objects on a local disk as read-only files `<root>/ab/cdef…`, with one level of 256 folders, like git. Content
 * is written below `<root>/tmp` and renamed, so readers never see part of an object, and concurrent writers of the same
 * content do not interfere. Only `durable` puts are synced. After a power failure a recent object may be truncated;
 * `put` and `adopt` repair it, because they compare sizes.
 */
export class DiskStore implements ObjectStore {
  private readonly temporary: string;
  /** Owner of all created files and folders, which only root can set: services of another user share the folder. */
  private readonly owner: { uid: number; gid: number } | null;

  constructor(private readonly root: string) {
    fs.mkdirSync(root, { recursive: true, mode: 0o700 });
    this.owner = IS_ROOT ? fs.statSync(root) : null;
    this.temporary = join(root, 'tmp');
    this.makeFolder(this.temporary);
    removeAbandoned(this.temporary);
  }

  /** Path of an object. For tests and administration; other code uses `read` and `link`. */
  pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new ObjectMissingError(sha256);
    return `${this.root}/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options: PutOptions = {}): Promise<StoredObject> {
    const path = join(this.temporary, randomUUID());
    try {
      if (!(content instanceof Uint8Array)) {
        const written = await writeHashed(content, path, options);
        await options.announce?.(written);
        return await this.storeFile(path, written, options);
      }
      const object = { sha256: hash('sha256', content, 'hex'), size: content.byteLength };
      if (this.hasComplete(object)) return await this.finishPut(object, options);
      if (object.size > MAX_SYNC_BYTES) await fsp.writeFile(path, content);
      else fs.writeFileSync(path, content);
      return await this.storeFile(path, object, options);
    } catch (error) {
      fs.rmSync(path, { force: true });
      throw error;
    }
  }

  async adopt(path: string, options: AdoptOptions = {}): Promise<StoredObject> {
    const file = openRegular(path);
    const { descriptor, size } = file;
    try {
      // A second hard link, made inside a sandbox, would let its owner change the stored object later.
      if (file.nlink > 1 || options.keep === true) return await this.adoptCopy(path, descriptor, options);
      const sha256 =
        size > MAX_SYNC_BYTES
          ? await hashDescriptor(descriptor, options.signal)
          : hash('sha256', readWhole(descriptor, size), 'hex');
      return await this.storeFile(path, { sha256, size }, options);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.size(sha256)) !== null;
  }

  async size(sha256: string): Promise<number | null> {
    return sizeOf(this.pathOf(sha256));
  }

  read(sha256: string, range: { start?: number; end?: number } = {}): Readable {
    const content = fs.createReadStream(this.pathOf(sha256), range);
    return Readable.from(translateErrors(content, sha256), { objectMode: false });
  }

  async readAll(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    const descriptor = withMissingError(sha256, () => fs.openSync(this.pathOf(sha256), O_RDONLY));
    try {
      const { size } = fs.fstatSync(descriptor);
      const start = range?.start ?? 0;
      const length = Math.max(0, Math.min(size, range ? range.end + 1 : size) - start);
      return length > MAX_SYNC_BYTES
        ? await readLarge(descriptor, start, length)
        : readWhole(descriptor, length, start);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  async link(sha256: string, target: string, options: LinkOptions = {}): Promise<void> {
    const source = this.pathOf(sha256);
    if (options.copy === true) return copyPrivate(source, target, sha256);
    try {
      fs.linkSync(source, target);
    } catch (error) {
      // EMLINK: ext4 allows 65,000 links to one file.
      if (!isCode(error, 'EXDEV', 'EMLINK', 'EPERM')) throw toMissingError(error, sha256, source);
      await copyOnce(source, target);
    }
  }

  async remove(sha256: string): Promise<void> {
    await fsp.rm(this.pathOf(sha256), { force: true });
  }

  /** A file system that is gone or read-only fails here. */
  async check(): Promise<void> {
    await fsp.access(this.temporary, fsp.constants.R_OK | fsp.constants.W_OK);
  }

  list(digits: string): AsyncIterable<ListedObject[]> {
    return listFolder(join(this.root, digits), digits);
  }

  /** Moves a complete file with known content into the store. No process may have it open for writing. */
  async take(path: string, object: StoredObject): Promise<void> {
    await this.storeFile(path, object, {});
  }

  private async adoptCopy(path: string, descriptor: number, options: AdoptOptions): Promise<StoredObject> {
    const copy = join(this.temporary, randomUUID());
    try {
      const object = await this.storeFile(copy, await copyHashed(descriptor, copy, options.signal), options);
      if (options.keep !== true) fs.unlinkSync(path);
      return object;
    } catch (error) {
      fs.rmSync(copy, { force: true });
      throw error;
    }
  }

  /** Moves a complete file to the path of its content, or deletes it if the object exists. */
  private async storeFile(path: string, object: StoredObject, options: PutOptions): Promise<StoredObject> {
    if (this.hasComplete(object)) {
      fs.unlinkSync(path);
    } else {
      fs.chmodSync(path, READ_ONLY);
      // Files from a sandbox belong to another user.
      this.setOwner(path);
      await this.rename(path, this.pathOf(object.sha256));
    }
    return this.finishPut(object, options);
  }

  private hasComplete(object: StoredObject): boolean {
    return sizeOf(this.pathOf(object.sha256)) === object.size;
  }

  private async finishPut(object: StoredObject, options: PutOptions): Promise<StoredObject> {
    if (options.durable !== true) return object;
    const path = this.pathOf(object.sha256);
    try {
      // Another process may have put the object a moment ago without syncing it.
      await sync(path, O_RDONLY);
      await sync(dirname(path), O_DIRECTORY);
    } catch (error) {
      // The collector has deleted it as unused. The transaction that refers to it will find that out.
      if (!isCode(error, 'ENOENT')) throw error;
    }
    return object;
  }

  private async rename(path: string, target: string): Promise<void> {
    const folder = dirname(target);
    this.makeFolder(folder);
    try {
      fs.renameSync(path, target);
    } catch (error) {
      if (!isCode(error, 'EXDEV')) throw error;
      const copy = join(this.temporary, randomUUID());
      await copySparse(path, copy);
      fs.chmodSync(copy, READ_ONLY);
      this.setOwner(copy);
      await fsp.rename(copy, target);
      await fsp.unlink(path);
    }
  }

  private makeFolder(folder: string): void {
    if (fs.existsSync(folder)) return;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.setOwner(folder);
  }

  private setOwner(path: string): void {
    if (this.owner) fs.lchownSync(path, this.owner.uid, this.owner.gid);
  }
}

function removeAbandoned(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const entry = fs.statSync(join(folder, name), { throwIfNoEntry: false });
    if (entry && Date.now() - entry.mtimeMs > MAX_TEMPORARY_FILE_AGE_MS) fs.rmSync(join(folder, name), { force: true });
  }
}

function sizeOf(path: string): number | null {
  return fs.statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function readWhole(descriptor: number, length: number, position = 0): Buffer {
  const content = Buffer.allocUnsafe(length);
  return content.subarray(0, fs.readSync(descriptor, content, 0, length, position));
}

async function readLarge(descriptor: number, start: number, length: number): Promise<Buffer> {
  const stream = fs.createReadStream('', { fd: descriptor, autoClose: false, start, end: start + length - 1 });
  return Buffer.concat(await stream.toArray());
}

/** A copy by the operating system would fill the holes. */
async function copyOnce(source: string, target: string): Promise<void> {
  if (hasHoles(fs.statSync(source))) await copySparse(source, target);
  else await fsp.copyFile(source, target, COPY_ONCE);
}

async function copyPrivate(source: string, target: string, sha256: string): Promise<void> {
  try {
    await copyOnce(source, target);
    fs.chmodSync(target, 0o644);
  } catch (error) {
    throw toMissingError(error, sha256, source);
  }
}

async function sync(path: string, flags: number): Promise<void> {
  const file = await fsp.open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* translateErrors(content: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    throw toMissingError(error, sha256);
  }
}

function withMissingError<T>(sha256: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw toMissingError(error, sha256);
  }
}

/** ENOENT means a missing object only if its own file is missing, rather than the folder of the target. */
function toMissingError(error: unknown, sha256: string, source?: string): unknown {
  const isMissing = isCode(error, 'ENOENT') && (source === undefined || sizeOf(source) === null);
  return isMissing ? new ObjectMissingError(sha256) : error;
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
