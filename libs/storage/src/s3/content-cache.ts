import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import { join } from 'node:path';
import { DiskStore } from '../disk/disk-store.js';
import { writeHashed } from '../disk/write-hashed.js';
import { ObjectMissingError, StoreFailedError, type LinkOptions, type StoredObject } from '../object-store.js';

/** A full cache is shrunk to this share, so that not every new object triggers a scan. */
const SHRINK_TARGET = 0.9;
/** Maximum number of downloads of an object, if another process evicts it before it is linked. */
const MAX_ATTEMPTS = 5;

type Content = () => AsyncIterable<Uint8Array>;

/**
 * A local cache of the most recently used objects of a remote store, in the layout of `DiskStore`. Several processes
 * may share it: an object is present completely or not at all, and uploads do not rely on it.
 */
export class ContentCache {
  private readonly disk: DiskStore;
  private readonly temporaryFolder: string;
  /** Downloads in progress by hash, so that no object is downloaded twice at once. */
  private readonly downloads = new Map<string, Promise<number>>();
  /** Size by this process's own count; measured at the first use and whenever the count exceeds the maximum. */
  private bytes: number | null = null;

  /** @param maxBytes a single larger object is kept until another one arrives */
  constructor(
    private readonly root: string,
    private readonly maxBytes: number,
  ) {
    this.disk = new DiskStore(root);
    this.temporaryFolder = join(root, 'tmp');
  }

  /** Writes content to a temporary file, passes it to `use`, and deletes it. */
  async spool(
    content: AsyncIterable<Uint8Array>,
    use: (path: string, object: StoredObject) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<StoredObject> {
    const path = join(this.temporaryFolder, randomUUID());
    try {
      const object = await writeHashed(content, path, { ...(signal && { signal }) });
      await use(path, object);
      return object;
    } finally {
      await fsp.rm(path, { force: true });
    }
  }

  /** Moves a file whose content the store already has into the cache. */
  async keep(path: string, object: StoredObject): Promise<void> {
    await this.disk.take(path, object);
    await this.grow(object.size, object.sha256);
  }

  /** Links the object to a local path, and downloads it first if it is not cached. */
  async link(sha256: string, target: string, options: LinkOptions, content: Content): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const size = await this.ensureCached(sha256, content);
      try {
        await this.disk.link(sha256, target, options);
        return await this.grow(size, sha256);
      } catch (error) {
        if (!(error instanceof ObjectMissingError) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async evict(sha256: string): Promise<void> {
    await this.disk.remove(sha256);
  }

  /** @returns the number of downloaded bytes */
  private async ensureCached(sha256: string, content: Content): Promise<number> {
    const path = this.disk.pathOf(sha256);
    if (touch(path)) return 0;
    const existing = this.downloads.get(sha256);
    if (existing) return existing.then(() => 0);
    const download = this.download(sha256, content).finally(() => this.downloads.delete(sha256));
    this.downloads.set(sha256, download);
    return download;
  }

  private async download(sha256: string, content: Content): Promise<number> {
    const { size } = await this.spool(content(), async (path, object) => {
      if (object.sha256 !== sha256) throw new StoreFailedError(`the content of ${sha256} has another hash`);
      await this.disk.take(path, object);
    });
    return size;
  }

  private async grow(bytes: number, newest: string): Promise<void> {
    if (bytes === 0) return;
    this.bytes = this.bytes === null ? sum(await this.list()) : this.bytes + bytes;
    if (this.bytes > this.maxBytes) await this.shrink(newest);
  }

  private async shrink(newest: string): Promise<void> {
    const newestPath = this.disk.pathOf(newest);
    const objects = (await this.list()).sort((a, b) => a.usedAt - b.usedAt);
    let remainingBytes = sum(objects);
    for (const { path, size } of objects) {
      if (remainingBytes <= this.maxBytes * SHRINK_TARGET) break;
      if (path === newestPath) continue;
      await fsp.rm(path, { force: true });
      remainingBytes -= size;
    }
    this.bytes = remainingBytes;
  }

  private async list(): Promise<CachedObject[]> {
    const folders = (await fsp.readdir(this.root)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const found: CachedObject[] = [];
    for (const folder of folders) {
      for (const name of await fsp.readdir(join(this.root, folder))) {
        const path = `${this.root}/${folder}/${name}`;
        const entry = fs.statSync(path, { throwIfNoEntry: false });
        if (entry) found.push({ path, size: entry.size, usedAt: entry.atimeMs });
      }
    }
    return found;
  }
}

interface CachedObject {
  path: string;
  size: number;
  usedAt: number;
}

const sum = (objects: CachedObject[]): number => objects.reduce((total, { size }) => total + size, 0);

/**
 * Updates the access time explicitly, because disks are often mounted without it; the modification time stays. @returns
 * false if there is no such file
 */
function touch(path: string): boolean {
  const entry = fs.statSync(path, { throwIfNoEntry: false });
  if (!entry) return false;
  try {
    fs.utimesSync(path, new Date(), entry.mtime);
    return true;
  } catch {
    return false;
  }
}
