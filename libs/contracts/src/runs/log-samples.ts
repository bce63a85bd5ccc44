import { z } from 'zod';

/** Samples that are kept of one log; of a longer attempt, fewer a second. */
export const MAX_LOG_SAMPLES = 1_000;

/**
 * Sizes of a growing log and the milliseconds since the start of its attempt: offset, time, offset, time and so on. Both increase.
 * Offsets are those of the log as users read it.
 */
export const logSamples = z.array(z.number().int().nonnegative()).max(2 * MAX_LOG_SAMPLES);

/** The samples of both logs of an attempt. A log is absent if the attempt was too short to be sampled. */
export const sampledLogs = z.object({ stdout: logSamples.optional(), stderr: logSamples.optional() });
export type SampledLogs = z.infer<typeof sampledLogs>;
