import { z } from 'zod';
import { fileRef, fileSet, sha256 } from './files.js';

/** A stored folder: its files by their path below it. */
export const folderValue = z.object({ folder: fileSet });

/**
 * Value of a workflow input: a text, a flag, or a stored file or folder by hash. While a run is fetching its inputs,
 * the value of a file or folder is still its URL.
 */
export const inputValue = z.union([z.string(), z.boolean(), fileRef, folderValue]);
export type InputValue = z.infer<typeof inputValue>;

/** Outputs of steps outside of this task, or of earlier attempts, by step index. */
export const stepFiles = z.record(z.string(), fileSet);

/** One child (`index` from 1) or the only instance (`index` 0) of a segment. */
export const dispatchTask = z.object({
  index: z.number().int().nonnegative(),
  attempt: z.number().int().positive(),
  /** Outputs of this child alone: of its predecessors, and of its own steps that are already recorded. */
  files: stepFiles,
  /** Steps of the segment that an earlier attempt finished; they are skipped. */
  recorded: z.array(z.number().int().nonnegative()),
});
export type DispatchTask = z.infer<typeof dispatchTask>;

/** Payload of one BullMQ job for a worker: tasks of one segment, executed one after another. */
export const dispatchPayload = z.object({
  dispatch: z.string(),
  run: z.string(),
  /** How often the run was repaired; absent if never. Variables have the values that they had at the last repair. */
  repairs: z.number().int().optional(),
  vault: z.uuid(),
  /** Hash of the stored object that contains the compiled plan (libs/graph `Plan`) as JSON. */
  plan: sha256,
  segment: z.number().int().nonnegative(),
  /** Values of the workflow's inputs, by primitive id. */
  inputs: z.record(z.string(), inputValue),
  /** Outputs that all tasks of this dispatch share. */
  shared: stepFiles,
  /**
   * By step: a list of its children that failed or have no result, which becomes `in/<source>/.failed.json`. A step that is
   * listed here and has no outputs has no result at all.
   */
  failures: z.record(z.string(), fileRef).optional(),
  /** The items that the scope of this segment was split into; null outside a scope. */
  items: z.object({ items: sha256, index: sha256, count: z.number().int().nonnegative() }).nullable(),
  tasks: z.array(dispatchTask).min(1),
  /** Setting of the run: all nodes use the cache, or none does. If absent, each node has its own `cache`. */
  useCache: z.boolean().optional(),
  /** What the worker must have; absent if any worker of the fleet will do. A worker that does not have it returns the tasks. */
  requires: z
    .object({ fleet: z.string().nullable(), labels: z.record(z.string(), z.string()), sizes: z.array(z.string()) })
    .optional(),
  /** The run may take over results of its parent run, for all nodes. */
  reuses: z.boolean().optional(),
});
export type DispatchPayload = z.infer<typeof dispatchPayload>;
