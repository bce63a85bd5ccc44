import { z } from 'zod';
import { cacheUse } from './cache.js';
import { fileSet, sha256 } from './files.js';
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

/** What a split found: `items` holds the bytes, `index` two little-endian 64-bit numbers (offset, length) an item. */
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
    /** Values the step ran with, shortened for display. */
    params: z.record(z.string(), z.union([z.string(), z.boolean()])),
    outputs: fileSet,
    stdout: storedLog.nullable(),
    stderr: storedLog.nullable(),
    cpuMs: z.number().nonnegative().transform(Math.ceil),
    maxRssBytes: z.number().nonnegative().nullable(),
    split: splitResult.nullable(),
    /** The platform failed and not the step, such as a full disk: the task runs again, and no retry of it is used up. */
    platformFailed: z.boolean().optional(),
    /** If the result may be reused, or was. */
    cache: cacheUse.optional(),
  }),
  /** Tasks that the worker did not begin and gives back, so that others may take them. */
  z.object({ type: z.literal('returned'), dispatch: z.string(), tasks: z.array(z.number().int().nonnegative()) }),
  /** The worker is done with this dispatch. */
  z.object({ type: z.literal('closed'), dispatch: z.string() }),
]);
export type Report = z.infer<typeof report>;
export type FinishedReport = Extract<Report, { type: 'finished' }>;

/** What one worker saw in a few milliseconds, in order. */
export const reportBatch = z.object({ worker: z.string(), reports: z.array(report) });
export type ReportBatch = z.infer<typeof reportBatch>;

/** Sent every two seconds; a worker not heard of for `WORKER_LEASE_MS` is lost, and its tasks run again elsewhere. */
export const heartbeat = z.object({
  worker: z.string(),
  host: z.string(),
  /** How many dispatches it takes at once. */
  slots: z.number().int().positive(),
  dispatches: z.array(z.string()),
  /** The worker that ran in this place before and is certainly gone. */
  replaces: z.string().nullable(),
});
export type Heartbeat = z.infer<typeof heartbeat>;

export const WORKER_LEASE_MS = 8_000;

/** Told to all workers: end these dispatches' processes (TERM, 10 s, KILL) and report them stopped. */
export const cancel = z.object({
  dispatches: z.array(z.string()),
  /** Where given, only these tasks of the (single) dispatch. */
  tasks: z.array(z.number().int().nonnegative()).optional(),
});

/**
 * A request to one worker: a running step's log from byte `offset` on; waits up to `waitMs` for more than nothing. With `tail`
 * only where so many last lines begin of what there is now.
 */
export const readLog = z.object({
  run: z.string(),
  step: z.number().int(),
  task: z.number().int(),
  stream: z.enum(['stdout', 'stderr']),
  offset: z.number().int().nonnegative(),
  waitMs: z.number().int().min(0).max(10_000),
  tail: z.number().int().min(0).optional(),
  /** Which attempt is meant: when it began, in milliseconds by the worker's clock. */
  startedAt: z.number().optional(),
});
/**
 * `chunk` is base64 and begins at `offset`, which is beyond the requested one if bytes between were not kept; `state` is
 * `running`, `ended` (all was read) or `unknown` (not here).
 */
export const logPart = z.object({
  state: z.enum(['running', 'ended', 'unknown']),
  chunk: z.string(),
  offset: z.number().int().nonnegative().optional(),
});
