import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { INLINE_FILES, type FileRef, type FileSet } from '@millrace/contracts/runs/files';
import type { Transaction } from '@millrace/persistence/database';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../object-store.js';

/** What all children of a step left behind, for a step that gathers it: `<index>/<path>` in index order. */
@Injectable()
export class GatherStore {
  private readonly known = new LRUCache<string, FileSet>({ max: 500 });

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  /** The children must have ended; what they left does not change any more. */
  async gather(tx: Transaction, run: bigint, step: number): Promise<FileSet> {
    const key = `${run} ${step}`;
    const former = this.known.get(key);
    if (former) return former;
    const rows = await tx.$queryRaw<{ task: number; path: string; sha256: string; size: bigint }[]>`
      SELECT task, path, sha256, size FROM runs.output WHERE run_id = ${run} AND step = ${step} AND task > 0
      ORDER BY task, path COLLATE "C"`;
    const files = rows.map(({ task, path, sha256, size }) => ({ path: `${task}/${path}`, sha256, size: Number(size) }));
    const set = await this.wrap(files);
    this.known.set(key, set);
    return set;
  }

  /** A list as it travels: in the message itself, or as a stored manifest of JSON lines. */
  async wrap(files: FileRef[]): Promise<FileSet> {
    if (files.length <= INLINE_FILES) return { files };
    const { sha256 } = await this.store.put(Buffer.from(files.map((file) => `${JSON.stringify(file)}\n`).join('')));
    return { manifest: sha256, count: files.length };
  }

  /** The files of a set, read from its manifest where it has one. */
  async open(set: FileSet): Promise<FileRef[]> {
    if ('files' in set) return set.files;
    const text = (await this.store.readAll(set.manifest)).toString();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as FileRef);
  }
}
