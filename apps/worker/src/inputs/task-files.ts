import { basename } from 'node:path';
import type { z } from 'zod';
import type { DispatchPayload, DispatchTask, InputValue, folderValue } from '@millrace/contracts/runs/dispatch';
import type { FileRef, FileSet } from '@millrace/contracts/runs/files';
import type { Binding } from '@millrace/graph/plan/plan';
import { OUTPUT_FILE } from '@millrace/graph/run/build-command-line';
import { RANGE_BYTES, rangeAt } from '@millrace/graph/run/range-list';
import type { ObjectStore } from '@millrace/storage/object-store';
import { type FileList, listFiles } from './file-list.js';

type StepBinding = Extract<Binding, { from: 'step' }>;

/** Base name of a step's file port. */
const PORT_FILE = basename(OUTPUT_FILE);

/** Files that the steps of one task can use: those of the dispatch, and the outputs of the task's own steps so far. */
export class TaskFiles {
  private readonly own = new Map<number, FileSet>();
  private readonly read = new Map<string, Promise<FileList>>();

  constructor(
    private readonly dispatch: Pick<DispatchPayload, 'inputs' | 'shared' | 'failures'>,
    readonly task: DispatchTask,
    private readonly store: ObjectStore,
  ) {}

  /** Adds the outputs of a step for the steps after it. */
  add(step: number, files: FileSet): void {
    this.own.set(step, files);
    for (const key of this.read.keys()) if (key.startsWith(`${step} `)) this.read.delete(key);
  }

  /** Undefined if the run has no such input. */
  primitive(id: string): InputValue | undefined {
    return Object.hasOwn(this.dispatch.inputs, id) ? this.dispatch.inputs[id] : undefined;
  }

  /** The files of a folder that is an input of the run. */
  ofFolder({ folder }: z.infer<typeof folderValue>): Promise<FileList> {
    return listFiles(folder, this.store);
  }

  /** The files that a binding refers to, by their path below `in/<source>/`; none if the step has no outputs. */
  of({ step, port, gather }: StepBinding): Promise<FileList> {
    const key = `${step} ${port} ${gather}`;
    const cached = this.read.get(key);
    if (cached) return cached;
    const set = gather ? this.dispatch.shared[step] : this.setOf(step);
    const isIncluded = port === 'folder' ? undefined : (path: string) => isPortFile(path, gather);
    const files = set === undefined ? Promise.resolve([]) : listFiles(set, this.store, isIncluded);
    this.read.set(key, files);
    return files;
  }

  /** The manifest of the failures in what a binding refers to, if there are any. The same child of a step has not failed. */
  failuresOf({ step, gather }: StepBinding): FileRef | undefined {
    const isOwn = !gather && (this.own.has(step) || this.task.files[step] !== undefined);
    return isOwn ? undefined : this.dispatch.failures?.[step];
  }

  private setOf(step: number): FileSet | undefined {
    return this.own.get(step) ?? this.task.files[step] ?? this.dispatch.shared[step];
  }
}

const isPortFile = (path: string, gathered: boolean): boolean => {
  if (!gathered) return path === PORT_FILE;
  const [index, ...rest] = path.split('/');
  return /^\d+$/.test(index ?? '') && rest.join('/') === PORT_FILE;
};

/** The bytes that belong to one child (`task` from 1) of a split. */
export async function readItem(
  items: NonNullable<DispatchPayload['items']>,
  task: number,
  store: ObjectStore,
): Promise<Buffer> {
  const start = (task - 1) * RANGE_BYTES;
  const entry = await store.readAll(items.index, { start, end: start + RANGE_BYTES - 1 });
  const { offset, length } = rangeAt(entry, 0);
  return length === 0 ? Buffer.alloc(0) : store.readAll(items.items, { start: offset, end: offset + length - 1 });
}
