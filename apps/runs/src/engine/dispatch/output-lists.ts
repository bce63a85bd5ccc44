import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { INLINE_FILES, type FileRef, type FileSet } from '@millrace/contracts/runs/files';
import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/for-each-yielding';
import { linesOf } from '@millrace/service/lines-of';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../../object-store.js';

/** Rows read, and files written down, in one go: some 10 ms. */
const PAGE = 1_000;

/** Lists of outputs, for the steps that take them. They may be as long as a user's data, so they are read and written in parts. */
@Injectable()
export class GatherStore {
  private readonly known = new LRUCache<string, FileSet>({ max: 500 });

  constructor(@Inject(OBJECT_STORE) private readonly objects: ObjectStore) {}

  /** What all children of a step left: `<index>/<path>` in index order. They must have ended, so that it does not change any more. */
  gather(tx: Transaction, run: bigint, step: number): Promise<FileSet> {
    return this.remember(`${run} ${step} children`, () => this.readOutputs(tx, run, step, true));
  }

  /** What a step that runs once left. It must have ended, so that it does not change any more. */
  list(tx: Transaction, run: bigint, step: number): Promise<FileSet> {
    return this.remember(`${run} ${step}`, () => this.readOutputs(tx, run, step, false));
  }

  /** A list as it travels: in the message itself, or as a stored manifest of JSON lines. */
  async wrap(files: FileRef[]): Promise<FileSet> {
    return files.length <= INLINE_FILES ? { files } : this.store(files);
  }

  /** A list as a stored manifest. */
  async store(files: FileRef[]): Promise<FileSet> {
    const pieces: Buffer[] = [];
    const parts = Array.from({ length: Math.ceil(files.length / PAGE) }, (_, part) => part * PAGE);
    await forEachYielding(parts, (from) => pieces.push(toLines(files.slice(from, from + PAGE))));
    return this.objects.put(Buffer.concat(pieces)).then(({ sha256 }) => ({ manifest: sha256, count: files.length }));
  }

  private async remember(key: string, read: () => Promise<FileSet>): Promise<FileSet> {
    const known = this.known.get(key) ?? (await read());
    this.known.set(key, known);
    return known;
  }

  private async readOutputs(tx: Transaction, run: bigint, step: number, isGathered: boolean): Promise<FileSet> {
    const pieces: Buffer[] = [];
    let count = 0;
    let last = { task: isGathered ? 1 : 0, path: '' };
    for (;;) {
      const rows = await tx.$queryRaw<{ task: number; path: string; sha256: string; size: bigint }[]>`
        SELECT task, path, sha256, size FROM runs.output
        WHERE run_id = ${run} AND step = ${step} AND (task > 0) = ${isGathered} AND task >= ${last.task}
          AND (task > ${last.task} OR path COLLATE "C" > ${last.path})
        ORDER BY task, path COLLATE "C" LIMIT ${PAGE}`;
      const files = rows.map(({ task, path, sha256, size }) => {
        return { path: isGathered ? `${task}/${path}` : path, sha256, size: Number(size) };
      });
      count += files.length;
      if (count <= INLINE_FILES) return { files };
      pieces.push(toLines(files));
      last = rows.at(-1) ?? last;
      if (rows.length < PAGE) break;
    }
    const { sha256 } = await this.objects.put(Buffer.concat(pieces));
    return { manifest: sha256, count };
  }

  /** The files of a set, read from its manifest where it has one. */
  async open(set: FileSet): Promise<FileRef[]> {
    if ('files' in set) return set.files;
    const files: FileRef[] = [];
    await forEachYielding(linesOf(await this.objects.readAll(set.manifest)), (line) =>
      files.push(JSON.parse(line) as FileRef),
    );
    return files;
  }
}

const toLines = (files: FileRef[]): Buffer => Buffer.from(files.map((file) => `${JSON.stringify(file)}\n`).join(''));
