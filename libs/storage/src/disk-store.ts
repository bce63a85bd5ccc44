import { hash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { hasHoles } from './data-extents.js';
import {
  ObjectMissingError,
  type AdoptOptions,
  type LinkOptions,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from './object-store.js';
import { openRegular } from './open-regular.js';
import { copyHashed, copySparse, hashDescriptor } from './read-pieces.js';
import { writeHashed } from './write-hashed.js';

/** Up to this size, in bytes, blocking calls cost less (20 µs) than the thread pool's round trip (150 µs a file). */
const SMALL = 64 * 1024;
const READ_ONLY = 0o444;
const IS_ROOT = process.geteuid?.() === 0;
const COPY_ONCE = fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL;
const { O_RDONLY, O_DIRECTORY } = fs.constants;
/** What lies unfinished for longer than that, in milliseconds, was left by a process that was killed. */
const ABANDONED_MS = 24 * 60 * 60_000;

/**
 * Objects on a local disk: `<root>/ab/cdef…`, one level of 256 folders as git has it, read-only files. Content is written
 * under `<root>/tmp` and renamed, so a reader never sees half an object, and two writers of one content do not disturb each
 * other. Only `durable` puts are synced: after a power failure a young object may be short, which `put` and `adopt` mend
 * because they compare sizes before they call an object present.
 */
export class DiskStore implements ObjectStore {
  private readonly temporary: string;
  /** To whom all that is made here is given, which only root can: services that are another user share the folder. */
  private readonly owner: { uid: number; gid: number } | null;

  constructor(private readonly root: string) {
    fs.mkdirSync(root, { recursive: true, mode: 0o700 });
    this.owner = IS_ROOT ? fs.statSync(root) : null;
    this.temporary = join(root, 'tmp');
    this.makeFolder(this.temporary);
    removeAbandoned(this.temporary);
  }

  /** Where an object lies. For tests and administration: others use `read` and `link`. */
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
        return await this.file(path, written, options);
      }
      const object = { sha256: hash('sha256', content, 'hex'), size: content.byteLength };
      if (this.holds(object)) return await this.keep(object, options);
      if (object.size > SMALL) await fsp.writeFile(path, content);
      else fs.writeFileSync(path, content);
      return await this.file(path, object, options);
    } catch (error) {
      fs.rmSync(path, { force: true });
      throw error;
    }
  }

  async adopt(path: string, options: AdoptOptions = {}): Promise<StoredObject> {
    const file = openRegular(path);
    const { descriptor, size } = file;
    try {
      // Another name for the same bytes, made inside a sandbox, would let its owner change the stored object later.
      if (file.nlink > 1 || options.keep === true) return await this.adoptCopy(path, descriptor, options);
      const sha256 =
        size > SMALL
          ? await hashDescriptor(descriptor, options.signal)
          : hash('sha256', readWhole(descriptor, size), 'hex');
      return await this.file(path, { sha256, size }, options);
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
    return Readable.from(translated(content, sha256), { objectMode: false });
  }

  async readAll(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    const descriptor = naming(sha256, () => fs.openSync(this.pathOf(sha256), O_RDONLY));
    try {
      const { size } = fs.fstatSync(descriptor);
      const start = range?.start ?? 0;
      const length = Math.max(0, Math.min(size, range ? range.end + 1 : size) - start);
      return length > SMALL ? await readLarge(descriptor, start, length) : readWhole(descriptor, length, start);
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
      // EMLINK: ext4 allows 65,000 names for one file.
      if (!isCode(error, 'EXDEV', 'EMLINK', 'EPERM')) throw missingOr(error, sha256, source);
      await copyOnce(source, target);
    }
  }

  async remove(sha256: string): Promise<void> {
    await fsp.rm(this.pathOf(sha256), { force: true });
  }

  /** Takes over a complete file whose content is known, which nobody may hold open for writing. */
  async take(path: string, object: StoredObject): Promise<void> {
    await this.file(path, object, {});
  }

  private async adoptCopy(path: string, descriptor: number, options: AdoptOptions): Promise<StoredObject> {
    const copy = join(this.temporary, randomUUID());
    try {
      const object = await this.file(copy, await copyHashed(descriptor, copy, options.signal), options);
      if (options.keep !== true) fs.unlinkSync(path);
      return object;
    } catch (error) {
      fs.rmSync(copy, { force: true });
      throw error;
    }
  }

  /** Moves a complete file to the name its content gives it, or removes it where that content is there already. */
  private async file(path: string, object: StoredObject, options: PutOptions): Promise<StoredObject> {
    if (this.holds(object)) {
      fs.unlinkSync(path);
    } else {
      fs.chmodSync(path, READ_ONLY);
      // What a sandbox has left belongs to a user of its own.
      this.give(path);
      await this.rename(path, this.pathOf(object.sha256));
    }
    return this.keep(object, options);
  }

  private holds(object: StoredObject): boolean {
    return sizeOf(this.pathOf(object.sha256)) === object.size;
  }

  private async keep(object: StoredObject, options: PutOptions): Promise<StoredObject> {
    if (options.durable !== true) return object;
    const path = this.pathOf(object.sha256);
    // The object may be there since a moment only, put by somebody who did not ask for this.
    await sync(path, O_RDONLY);
    await sync(dirname(path), O_DIRECTORY);
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
      this.give(copy);
      await fsp.rename(copy, target);
      await fsp.unlink(path);
    }
  }

  private makeFolder(folder: string): void {
    if (fs.existsSync(folder)) return;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.give(folder);
  }

  private give(path: string): void {
    if (this.owner) fs.lchownSync(path, this.owner.uid, this.owner.gid);
  }
}

function removeAbandoned(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const entry = fs.statSync(join(folder, name), { throwIfNoEntry: false });
    if (entry && Date.now() - entry.mtimeMs > ABANDONED_MS) fs.rmSync(join(folder, name), { force: true });
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

/** The system's own copy would fill holes. */
async function copyOnce(source: string, target: string): Promise<void> {
  if (hasHoles(fs.statSync(source))) await copySparse(source, target);
  else await fsp.copyFile(source, target, COPY_ONCE);
}

async function copyPrivate(source: string, target: string, sha256: string): Promise<void> {
  try {
    await copyOnce(source, target);
    fs.chmodSync(target, 0o644);
  } catch (error) {
    throw missingOr(error, sha256, source);
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

async function* translated(content: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (error) {
    throw missingOr(error, sha256);
  }
}

function naming<T>(sha256: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw missingOr(error, sha256);
  }
}

/** ENOENT means the object only where its own file is gone, not where the target's folder is. */
function missingOr(error: unknown, sha256: string, source?: string): unknown {
  const gone = isCode(error, 'ENOENT') && (source === undefined || sizeOf(source) === null);
  return gone ? new ObjectMissingError(sha256) : error;
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
