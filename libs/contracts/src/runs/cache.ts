import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';
import { fileSet, sha256 } from './files.js';
import { storedLog } from './stored-log.js';

/**
 * The parts that determine the result of a step. `runner` is the key format and the platform of the worker; `secrets`
 * are the values that logs and outputs are masked against.
 */
export const CACHE_PARTS = ['runner', 'program', 'arguments', 'environment', 'inputs', 'secrets'] as const;
export type CachePart = (typeof CACHE_PARTS)[number];

/**
 * The first 64 bits of the SHA-256 of a part, enough to see that a part differs. The key contains all parts in full.
 */
const partDigest = z.string().regex(/^[0-9a-f]{16}$/);

export const cacheKey = z.object({
  key: sha256,
  parts: z.object(
    Object.fromEntries(CACHE_PARTS.map((part) => [part, partDigest])) as Record<CachePart, typeof partDigest>,
  ),
});
export type CacheKey = z.infer<typeof cacheKey>;

const subjobId = z.string().regex(/^\d{1,18}$/);

/** The key of a finished step, and the subjob whose result it reused; null if the step was executed. */
export const cacheUse = cacheKey.extend({ from: subjobId.nullable() });

/** Maximum number of keys per request. A worker never has more than half as many tasks of a dispatch. */
export const MAX_CACHE_KEYS = 100;

/** The result of an earlier, successful subjob. Its contents may have been removed from the store since. */
export const cachedResult = z.object({
  key: sha256,
  subjob: subjobId,
  exitCode: z.number().int().nullable(),
  message: z.string().nullable(),
  outputs: fileSet,
  stdout: storedLog.nullable(),
  stderr: storedLog.nullable(),
});
export type CachedResult = z.infer<typeof cachedResult>;

/** The run of the dispatch determines the space; a worker cannot choose one. */
export const findCached = internalOperation('runs.cache.find', {
  summary: 'Find cached results in the space of the run that a dispatch belongs to',
  access: onlyServices('worker'),
  readOnly: true,
  body: z.object({ worker: z.string(), dispatch: z.string(), keys: z.array(sha256).min(1).max(MAX_CACHE_KEYS) }),
  response: z.object({ found: z.array(cachedResult) }),
});
