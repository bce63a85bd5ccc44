import { z } from 'zod';
import { cacheUse } from './cache.js';
import { fileSet, sha256 } from './files.js';
import { sampledLogs } from './log-samples.js';
import { storedLog } from './stored-log.js';

const subject = {
  dispatch: z.string(),
  /** Index of the task within its segment: 0, or the child's number. */
  task: z.number().int().nonnegative(),
  attempt: z.number().int().positive(),
  step: z.number().int().nonnegative(),
  /** Milliseconds since the epoch, by the worker's clock. */
  at: z.number(),
};

/**
 * Result of a split: `items` contains the bytes, `index` two little-endian 64-bit numbers (offset, length) per item.
 */
export const splitResult = z.object({ items: sha256, index: sha256, count: z.number().int().nonnegative() });

export const report = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), ...subject }),
  z.object({
    type: z.literal('finished'),
    ...subject,
    startedAt: z.number(),
    outcome: z.enum(['succeeded', 'failed', 'stopped']),
    exitCode: z.number().int().nullable(),
    message: z.string().nullable(),
    /** Values of the step, shortened for display. */
    params: z.record(z.string(), z.union([z.string(), z.boolean()])),
    outputs: fileSet,
    stdout: storedLog.nullable(),
    stderr: storedLog.nullable(),
    /** When the logs were written; absent if the step was too short to be sampled. */
    sampledLogs: sampledLogs.optional(),
    cpuMs: z.number().nonnegative().transform(Math.ceil),
    maxRssBytes: z.number().nonnegative().nullable(),
    split: splitResult.nullable(),
    /**
     * The platform failed rather than the step, for example because a disk is full. The task runs again without using
     * up a retry.
     */
    platformFailed: z.boolean().optional(),
    /**
     * With `platformFailed`: the worker shut down before the step ended, so the task runs again at once. An engine of an
     * earlier version ignores this field and waits a moment.
     */
    interrupted: z.boolean().optional(),
    /**
     * With `platformFailed`: the machine of the step was lost and its worker was not. It counts as the loss of a worker, so it
     * may happen a few times only. An engine of an earlier version ignores this field and repeats the step without limit.
     */
    lost: z.boolean().optional(),
    /** Present if the result may be reused, or was reused. */
    cache: cacheUse.optional(),
    /** The cache key of a result that only a retry with other inputs may reuse, because its node uses no cache. */
    resultKey: sha256.optional(),
  }),
  /** Tasks that the worker has not started and releases to other workers. */
  z.object({ type: z.literal('returned'), dispatch: z.string(), tasks: z.array(z.number().int().nonnegative()) }),
  /** The worker has finished this dispatch. */
  z.object({ type: z.literal('closed'), dispatch: z.string() }),
]);
export type Report = z.infer<typeof report>;
export type FinishedReport = Extract<Report, { type: 'finished' }>;

/** Events that one worker collected in a few milliseconds, in order. */
export const reportBatch = z.object({ worker: z.string(), reports: z.array(report) });
export type ReportBatch = z.infer<typeof reportBatch>;

/**
 * What a worker does: takes work; takes no new work; finishes its work because an administrator drains it, or shuts down; has
 * ended in order.
 */
export const workerState = z.enum(['active', 'cordoned', 'draining', 'stopped']);
export type WorkerState = z.infer<typeof workerState>;

export const stepSize = z.enum(['small', 'medium', 'large']);
export type StepSize = z.infer<typeof stepSize>;
export const STEP_SIZES = stepSize.options;

/** The fleet of workers that name none. */
export const DEFAULT_FLEET = 'default';

export const fleetName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 lower-case letters, digits and "-"');
const labelText = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/,
    'must be 1 to 63 letters, digits, ".", "_", "/" and "-", with a letter or digit at both ends',
  );
export const labels = z.record(labelText, labelText);

/** Label that each worker sets itself: how it runs steps. */
export const EXECUTOR_LABEL = 'executor';

/** Sent every two seconds. A worker that is silent for `WORKER_LEASE_MS` is lost, and its tasks run again elsewhere. */
export const heartbeat = z.object({
  worker: z.string(),
  host: z.string(),
  /** Number of dispatches that it processes at once. */
  slots: z.number().int().positive(),
  dispatches: z.array(z.string()),
  /** The previous worker of this host slot, which has certainly ended. */
  replaces: z.string().nullable(),
  state: workerState.default('active'),
  /** Workers of an earlier version send none of the following. */
  fleet: fleetName.default(DEFAULT_FLEET),
  labels: labels.default({}),
  sizes: z
    .array(stepSize)
    .min(1)
    .default([...STEP_SIZES]),
  /** Memory of a step of each size, in bytes. */
  memory: z.record(stepSize, z.number().int().positive()).nullable().default(null),
  version: z.string().max(100).nullable().default(null),
  /** Whether steps run in sandboxes. */
  isolated: z.boolean().nullable().default(null),
  /** Names of programs that steps may use. */
  programs: z.array(z.string().max(100)).max(200).default([]),
});
export type Heartbeat = z.infer<typeof heartbeat>;

export const WORKER_LEASE_MS = 8_000;

/** Sent to all workers: end the processes of these dispatches (TERM, 10 s, KILL) and report them stopped. */
export const cancel = z.object({
  dispatches: z.array(z.string()),
  /** If present, only these tasks of the (single) dispatch. */
  tasks: z.array(z.number().int().nonnegative()).optional(),
});

/**
 * A request to one worker for the log of a running step from byte `offset`. Waits up to `waitMs` until there is any.
 * With `tail`, the response starts at that many lines before the current end.
 */
export const readLog = z.object({
  run: z.string(),
  step: z.number().int(),
  task: z.number().int(),
  stream: z.enum(['stdout', 'stderr']),
  offset: z.number().int().nonnegative(),
  waitMs: z.number().int().min(0).max(10_000),
  tail: z.number().int().min(0).optional(),
  /** Selects the attempt by its start, in milliseconds by the worker's clock. */
  startedAt: z.number().optional(),
});
/**
 * `chunk` is base64 and starts at `offset`, which is beyond the requested one if bytes in between were not kept.
 * `state` is `running`, `ended` (everything was read) or `unknown` (the worker does not have this step).
 */
export const logPart = z.object({
  state: z.enum(['running', 'ended', 'unknown']),
  chunk: z.string(),
  offset: z.number().int().nonnegative().optional(),
});
