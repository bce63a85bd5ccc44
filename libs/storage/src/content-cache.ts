import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import { join } from 'node:path';
import { DiskStore } from './disk-store.js';
import { ObjectMissingError, StoreFailedError, type LinkOptions, type StoredObject } from './object-store.js';
import { writeHashed } from './write-hashed.js';

/** When it is full, it is emptied to this share of what it may hold, so that not every object asks for a look at all. */
const KEPT_SHARE = 0.9;
/** Times that an object is brought in anew, where another process threw it out before it got its name. */
const TRIES = 5;

type Content = () => AsyncIterable<Uint8Array>;

/**
 * Objects of a store that is elsewhere, kept on a local disk as `DiskStore` keeps them, those used last. Several processes
 * may share one: an object is there whole or not at all, and what is on its way to the store is not counted on to stay.
 */
export class ContentCache {
  private readonly disk: DiskStore;
  private readonly spooled: string;
  /** What is being brought in, by hash, so that nothing comes twice at once. */
  private readonly coming = new Map<string, Promise<number>>();
  /** As far as this process knows; looked up when it begins, and again whenever it seems to be too much. */
  private bytes: number | null = null;

  /** @param most bytes; a single object may be larger for as long as nothing else comes */
  constructor(
    private readonly root: string,
    private readonly most: number,
  ) {
    this.disk = new DiskStore(root);
    this.spooled = join(root, 'tmp');
  }

  /** Writes content to a file of its own, hands that on, and removes it. */
  async spool(
    content: AsyncIterable<Uint8Array>,
    use: (path: string, object: StoredObject) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<StoredObject> {
    const path = join(this.spooled, randomUUID());
    try {
      const object = await writeHashed(content, path, { ...(signal && { signal }) });
      await use(path, object);
      return object;
    } finally {
      await fsp.rm(path, { force: true });
    }
  }

  /** Takes over a file whose content is at the store already; it is gone from `path` afterwards. */
  async keep(path: string, object: StoredObject): Promise<void> {
    await this.disk.take(path, object);
    await this.grow(object.size, object.sha256);
  }

  /** Gives the object a name on the local disk, and brings it in for that where it is not here. */
  async link(sha256: string, target: string, options: LinkOptions, content: Content): Promise<void> {
    for (let left = TRIES; ; left -= 1) {
      const size = await this.bring(sha256, content);
      try {
        await this.disk.link(sha256, target, options);
        return await this.grow(size, sha256);
      } catch (error) {
        if (!(error instanceof ObjectMissingError) || left === 1) throw error;
      }
    }
  }

  async forget(sha256: string): Promise<void> {
    await this.disk.remove(sha256);
  }

  /** @returns how many bytes came */
  private async bring(sha256: string, content: Content): Promise<number> {
    const path = this.disk.pathOf(sha256);
    if (touch(path)) return 0;
    const known = this.coming.get(sha256);
    if (known) return known.then(() => 0);
    const coming = this.download(sha256, content).finally(() => this.coming.delete(sha256));
    this.coming.set(sha256, coming);
    return coming;
  }

  private async download(sha256: string, content: Content): Promise<number> {
    const { size } = await this.spool(content(), async (path, object) => {
      if (object.sha256 !== sha256) throw new StoreFailedError(`other content under the name ${sha256}`);
      await this.disk.take(path, object);
    });
    return size;
  }

  private async grow(bytes: number, newest: string): Promise<void> {
    if (bytes === 0) return;
    this.bytes = this.bytes === null ? sum(await this.list()) : this.bytes + bytes;
    if (this.bytes > this.most) await this.shrink(newest);
  }

  private async shrink(newest: string): Promise<void> {
    const kept = this.disk.pathOf(newest);
    const objects = (await this.list()).sort((a, b) => a.usedAt - b.usedAt);
    let left = sum(objects);
    for (const { path, size } of objects) {
      if (left <= this.most * KEPT_SHARE) break;
      if (path === kept) continue;
      await fsp.rm(path, { force: true });
      left -= size;
    }
    this.bytes = left;
  }

  private async list(): Promise<Kept[]> {
    const folders = (await fsp.readdir(this.root)).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const found: Kept[] = [];
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

interface Kept {
  path: string;
  size: number;
  usedAt: number;
}

const sum = (objects: Kept[]): number => objects.reduce((total, { size }) => total + size, 0);

/** Notes the use by hand, because disks are mounted without it; the time of the content stays. @returns false where there is none */
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
