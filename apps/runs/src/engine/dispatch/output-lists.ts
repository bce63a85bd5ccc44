import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type FileRef, type FileSet, INLINE_FILES } from '@millrace/contracts/runs/files';
import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import { linesOf } from '@millrace/service/text/lines-of';
import type { ObjectStore } from '@millrace/storage/object-store';
import { OBJECT_STORE } from '../../object-store.js';
import type { PlanIndex } from '../plans/plan-index.js';
import { describeFailures, FAILURES_FILE } from './describe-failures.js';

/** Rows read, and files serialized, in one piece: this takes some 10 ms. */
const PAGE_SIZE = 1_000;

/** A list that is kept for longer might have been deleted, and the record of its deletion, too (`forgetGone`). */
const CACHE_TTL_MS = 24 * 60 * 60_000;

/** A run as its lists see it: a repair changes outputs, so a list is valid until the next one. */
interface ListedRun {
  id: bigint;
  repairs: number;
}

/**
 * Reads and stores lists of outputs for the steps that use them. A list can be as long as a user's data, so it is read and
 * written in pages; a long one becomes a manifest, an object of JSON lines in the store.
 */
@Injectable()
export class OutputLists {
  private readonly cached = new LRUCache<string, FileSet>({ max: 500, ttl: CACHE_TTL_MS });
  private readonly failures = new LRUCache<string, { file: FileRef | null }>({ max: 500, ttl: CACHE_TTL_MS });

  constructor(@Inject(OBJECT_STORE) private readonly objects: ObjectStore) {}

  /** The outputs of all children of a step, as `<index>/<path>` in index order. The children must have ended, so that it stays the same. */
  listChildOutputs(tx: Transaction, run: ListedRun, step: number): Promise<FileSet> {
    return this.getOrRead(`${run.id} ${run.repairs} ${step} children`, () => this.readOutputs(tx, run.id, step, true));
  }

  /** The outputs of a step that runs once. The step must have ended, so that they stay the same. */
  listStepOutputs(tx: Transaction, run: ListedRun, step: number): Promise<FileSet> {
    return this.getOrRead(`${run.id} ${run.repairs} ${step}`, () => this.readOutputs(tx, run.id, step, false));
  }

  /**
   * The manifest of a step's failures, as a file: the children, or the step itself, that failed or have no result.
   * @returns null if there are none
   */
  async listFailures(tx: Transaction, run: ListedRun & { plan: PlanIndex }, step: number): Promise<FileRef | null> {
    const key = `${run.id} ${run.repairs} ${step}`;
    const cached = this.failures.get(key);
    if (cached) return cached.file;
    const file = await this.storeFailures(tx, run, step);
    this.failures.set(key, { file });
    return file;
  }

  private async storeFailures(
    tx: Transaction,
    run: ListedRun & { plan: PlanIndex },
    step: number,
  ): Promise<FileRef | null> {
    const pieces = await describeFailures(tx, run.id, run.plan.step(step));
    if (pieces === null) return null;
    return { path: FAILURES_FILE, ...(await this.objects.put(Buffer.concat(pieces))) };
  }

  /** Makes the next reader store each list again, because one of them was deleted as unused. */
  forget(): void {
    this.cached.clear();
    this.failures.clear();
  }

  /** A list in the form in which messages carry it: inline if it is short, otherwise as a manifest. */
  async toFileSet(files: FileRef[]): Promise<FileSet> {
    return files.length <= INLINE_FILES ? { files } : this.storeManifest(files);
  }

  /** Stores the content of `EMPTY_OUTPUT`. */
  async storeEmpty(): Promise<void> {
    await this.objects.put(Buffer.alloc(0));
  }

  async storeManifest(files: FileRef[]): Promise<FileSet> {
    const pages: Buffer[] = [];
    const starts = Array.from({ length: Math.ceil(files.length / PAGE_SIZE) }, (_, page) => page * PAGE_SIZE);
    await forEachYielding(starts, (start) => pages.push(toLines(files.slice(start, start + PAGE_SIZE))));
    const { sha256 } = await this.objects.put(Buffer.concat(pages));
    return { manifest: sha256, count: files.length };
  }

  private async getOrRead(key: string, read: () => Promise<FileSet>): Promise<FileSet> {
    const cached = this.cached.get(key);
    if (cached) return cached;
    const list = await read();
    this.cached.set(key, list);
    return list;
  }

  private async readOutputs(tx: Transaction, run: bigint, step: number, ofChildren: boolean): Promise<FileSet> {
    const pages: Buffer[] = [];
    let count = 0;
    let last = { task: ofChildren ? 1 : 0, path: '' };
    for (;;) {
      const rows = await tx.$queryRaw<{ task: number; path: string; sha256: string; size: bigint }[]>`
        SELECT task, path, sha256, size FROM runs.output
        WHERE run_id = ${run} AND step = ${step} AND NOT replaced AND (task > 0) = ${ofChildren} AND task >= ${last.task}
          AND (task > ${last.task} OR path COLLATE "C" > ${last.path})
        ORDER BY task, path COLLATE "C" LIMIT ${PAGE_SIZE}`;
      const files = rows.map(({ task, path, sha256, size }) => {
        return { path: ofChildren ? `${task}/${path}` : path, sha256, size: Number(size) };
      });
      count += files.length;
      if (count <= INLINE_FILES) return { files };
      pages.push(toLines(files));
      last = rows.at(-1) ?? last;
      if (rows.length < PAGE_SIZE) break;
    }
    const { sha256 } = await this.objects.put(Buffer.concat(pages));
    return { manifest: sha256, count };
  }

  /** The files of a set; a manifest is read from the store. */
  async readFiles(set: FileSet): Promise<FileRef[]> {
    if ('files' in set) return set.files;
    const files: FileRef[] = [];
    await forEachYielding(linesOf(await this.objects.readAll(set.manifest)), (line) =>
      files.push(JSON.parse(line) as FileRef),
    );
    return files;
  }
}

const toLines = (files: FileRef[]): Buffer => Buffer.from(files.map((file) => `${JSON.stringify(file)}\n`).join(''));
