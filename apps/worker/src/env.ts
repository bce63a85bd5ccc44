import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { allowListSetting } from '@millrace/egress/addresses/allow-list';
import { DEFAULT_LIMITS, type Limits } from '@millrace/isolation/limits/limits';
import { baseEnv } from '@millrace/service/startup/env';
import { UNITS, byteSize } from '@millrace/storage/settings/byte-size';
import { storageEnv } from '@millrace/storage/settings/storage-env';
import { checkExecutorSettings, executorSettings } from './execution/executor-settings.js';
import { fleetSettings } from './registration/fleet-settings.js';

const count = z.coerce.number().int().positive();

/** Settings of the core; `workerEnv` adds those of every process. */
export const coreEnv = storageEnv.extend({
  /** Scratch space. If it is on the same disk as STORAGE_DIR, files are moved and not copied. */
  WORK_DIR: z.string().min(1),
  DISK_MIN_FREE_MIB: baseEnv.shape.DISK_MIN_FREE_MIB,
  /** Number of dispatches that run at the same time. */
  WORKER_SLOTS: count.default(Math.max(2, availableParallelism())),
  /** `required` refuses to start if steps cannot be isolated here, `off` runs them without a sandbox. */
  WORKER_ISOLATION: z.enum(['required', 'off']).default('required'),
  ...executorSettings,
  ...fleetSettings,
  /** How long running steps may continue when the worker shuts down. */
  WORKER_DRAIN_SECONDS: z.coerce.number().int().min(0).max(86_400).default(10),
  WORKER_MEMORY_SMALL: byteSize.default(2 * UNITS.G),
  WORKER_MEMORY_MEDIUM: byteSize.default(4 * UNITS.G),
  WORKER_MEMORY_LARGE: byteSize.default(8 * UNITS.G),
  WORKER_MAX_FILE: byteSize.default(DEFAULT_LIMITS.fileBytes),
  WORKER_MAX_DISK: byteSize.default(DEFAULT_LIMITS.diskBytes),
  WORKER_MAX_TMP: byteSize.default(DEFAULT_LIMITS.temporaryBytes),
  WORKER_MAX_PROCESSES: count.default(DEFAULT_LIMITS.processes),
});
export type CoreEnv = z.output<typeof coreEnv>;

/** How inputs that a run names by URL are fetched. */
const fetchEnv = z.object({
  EGRESS_ALLOW: allowListSetting,
  FETCH_MAX_BYTES: byteSize.default(10 * UNITS.G),
  /** For one attempt at one URL. */
  FETCH_TIMEOUT_SECONDS: count.max(86_400).default(3_600),
});

/** Sandboxes that users type commands into. */
const sandboxEnv = z.object({
  /** Maximum number of sandboxes; 0 turns sessions off. If all exist, a new one replaces the least recently used idle one. */
  SANDBOX_SLOTS: z.coerce.number().int().nonnegative().default(8),
  /** For one command. */
  SANDBOX_MEMORY: byteSize.default(2 * UNITS.G),
});

export const workerEnv = baseEnv
  .extend(coreEnv.shape)
  .extend(fetchEnv.shape)
  .extend(sandboxEnv.shape)
  .superRefine(checkExecutorSettings);

export const limitsOf = (env: CoreEnv): Limits => ({
  ...DEFAULT_LIMITS,
  fileBytes: env.WORKER_MAX_FILE,
  diskBytes: env.WORKER_MAX_DISK,
  temporaryBytes: env.WORKER_MAX_TMP,
  processes: env.WORKER_MAX_PROCESSES,
});
