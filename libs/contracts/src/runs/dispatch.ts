import { z } from 'zod';
import { fileRef, fileSet, sha256 } from './files.js';

/** A stored folder: its files, by their path below it. */
export const folderValue = z.object({ folder: fileSet });

/**
 * Value of a workflow input: text, a flag, or a stored file or folder, brought in by hash. While a run is `fetching` the
 * URL stands there, as text, where the file or folder will.
 */
export const inputValue = z.union([z.string(), z.boolean(), fileRef, folderValue]);
export type InputValue = z.infer<typeof inputValue>;

/** What steps outside of this task, or earlier attempts at it, left behind; keyed by step index. */
export const stepFiles = z.record(z.string(), fileSet);

/** One child (`index` from 1) or the only instance (`index` 0) of a segment. */
export const dispatchTask = z.object({
  index: z.number().int().nonnegative(),
  attempt: z.number().int().positive(),
  /** Outputs that belong to this child alone: of its predecessors, and of its own steps that are already recorded. */
  files: stepFiles,
  /** Steps of the segment that an earlier attempt finished; they are skipped. */
  recorded: z.array(z.number().int().nonnegative()),
});
export type DispatchTask = z.infer<typeof dispatchTask>;

/** What one BullMQ job hands to a worker: tasks of one segment, run one after the other. */
export const dispatchPayload = z.object({
  dispatch: z.string(),
  run: z.string(),
  vault: z.uuid(),
  /** Stored object holding the compiled plan (libs/graph `Plan`) as JSON. */
  plan: sha256,
  segment: z.number().int().nonnegative(),
  /** Values of the workflow's inputs, by primitive id. */
  inputs: z.record(z.string(), inputValue),
  /** Outputs that all tasks of this dispatch share. */
  shared: stepFiles,
  /** What the scope of this segment was split into; null outside of a scope. */
  items: z.object({ items: sha256, index: sha256, count: z.number().int().nonnegative() }).nullable(),
  tasks: z.array(dispatchTask).min(1),
  /** Of the run: all nodes use the cache, or none do; absent is the `cache` of each node. */
  useCache: z.boolean().optional(),
});
export type DispatchPayload = z.infer<typeof dispatchPayload>;
