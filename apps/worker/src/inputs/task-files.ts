import { basename } from 'node:path';
import type { z } from 'zod';
import type { DispatchPayload, DispatchTask, InputValue, folderValue } from '@millrace/contracts/runs/dispatch';
import type { FileRef, FileSet } from '@millrace/contracts/runs/files';
import type { Binding } from '@millrace/graph/plan/plan';
import { OUTPUT_FILE } from '@millrace/graph/run/build-command-line';
import { RANGE_BYTES, rangeAt } from '@millrace/graph/run/range-list';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import type { ObjectStore } from '@millrace/storage/object-store';
import { readFileSet } from './file-sets.js';

type StepBinding = Extract<Binding, { from: 'step' }>;

/** Base name of a step's file port. */
const PORT_FILE = basename(OUTPUT_FILE);

/** Files that the steps of one task can use: those of the dispatch, and the outputs of the task's own steps so far. */
export class TaskFiles {
  private readonly own = new Map<number, FileSet>();
  private readonly read = new Map<string, Promise<FileRef[]>>();

  constructor(
    private readonly dispatch: Pick<DispatchPayload, 'inputs' | 'shared' | 'failures'>,
    readonly task: DispatchTask,
    private readonly store: ObjectStore,
  ) {}

  /** Adds the outputs of a step for the steps after it. */
  add(step: number, files: FileSet): void {
    this.own.set(step, files);
    this.read.delete(String(step));
  }

  /** Undefined if the run has no such input. */
  primitive(id: string): InputValue | undefined {
    return Object.hasOwn(this.dispatch.inputs, id) ? this.dispatch.inputs[id] : undefined;
  }

  /** The files of a folder that is an input of the run. */
  ofFolder({ folder }: z.infer<typeof folderValue>): Promise<FileRef[]> {
    return readFileSet(folder, this.store);
  }

  /** The files that a binding refers to, by their path below `in/<source>/`; none if the step has no outputs. */
  async of(binding: StepBinding): Promise<FileRef[]> {
    const files = await (binding.gather ? this.gathered(binding.step) : this.all(binding.step));
    if (binding.port === 'folder') return files;
    const found: FileRef[] = [];
    await forEachYielding(files, (file) => {
      if (isPortFile(file.path, binding.gather)) found.push(file);
    });
    return found;
  }

  /** The manifest of the failures in what a binding refers to, if there are any. The same child of a step has not failed. */
  failuresOf({ step, gather }: StepBinding): FileRef | undefined {
    const isOwn = !gather && (this.own.has(step) || this.task.files[step] !== undefined);
    return isOwn ? undefined : this.dispatch.failures?.[step];
  }

  private gathered(step: number): Promise<FileRef[]> {
    return this.readOnce(`${step} gathered`, this.dispatch.shared[step]);
  }

  private all(step: number): Promise<FileRef[]> {
    return this.readOnce(String(step), this.own.get(step) ?? this.task.files[step] ?? this.dispatch.shared[step]);
  }

  private readOnce(key: string, set: FileSet | undefined): Promise<FileRef[]> {
    const cached = this.read.get(key);
    if (cached) return cached;
    const files = set === undefined ? Promise.resolve([]) : readFileSet(set, this.store);
    this.read.set(key, files);
    return files;
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
