import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { type CachedResult, MAX_CACHE_KEYS } from '@millrace/contracts/runs/cache';
import { ObjectMissingError, type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { readFileSet } from '../inputs/file-sets.js';

/** Finds cached results in the space of the run that a dispatch belongs to. */
export type FindCached = (dispatch: string, keys: string[]) => Promise<CachedResult[]>;

/** How long steps are executed without a lookup after one has failed, so that they do not all wait for it. */
const PAUSE_MS = 10_000;

/** Looks up cached results. A lookup that fails finds nothing: the step is executed. */
export class ResultCache {
  private readonly logger = new Logger(ResultCache.name);
  private pausedUntil = -Infinity;

  constructor(
    private readonly find: FindCached,
    private readonly store: ObjectStore,
  ) {}

  /** Results whose contents are all in the store, by key. Never rejects. */
  async lookUp(dispatch: string, keys: readonly string[]): Promise<Map<string, CachedResult>> {
    const found = new Map<string, CachedResult>();
    const uniqueKeys = [...new Set(keys)];
    try {
      for (let from = 0; from < uniqueKeys.length && performance.now() >= this.pausedUntil; from += MAX_CACHE_KEYS) {
        for (const result of await this.find(dispatch, uniqueKeys.slice(from, from + MAX_CACHE_KEYS))) {
          if (await isStored(result, this.store)) found.set(result.key, result);
        }
      }
    } catch (error) {
      // `not_found` does not mean that the service failed: the dispatch was cancelled, or another worker has it.
      if (!(error instanceof ApiError && error.code === 'not_found')) this.pause(error);
    }
    return found;
  }

  private pause(error: unknown): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    this.logger.warn({ message: 'Cache lookup failed; steps are executed', error, retryInMs: PAUSE_MS });
  }
}

/** Objects that are checked concurrently: a remote store takes about 20 ms for each. */
const MAX_CONCURRENT_CHECKS = 100;

/** Whether all objects of a cached result are in the store: outputs, their masked copies, logs. */
async function isStored({ outputs, stdout, stderr }: CachedResult, store: ObjectStore): Promise<boolean> {
  try {
    const files = await readFileSet(outputs, store);
    const objects: StoredObject[] = [stdout, stderr].filter((log) => log !== null);
    for (const file of files) objects.push(file, ...(file.shown ? [file.shown] : []));
    for (let from = 0; from < objects.length; from += MAX_CONCURRENT_CHECKS) {
      if (from > 0) await yieldToEventLoop();
      const found = objects.slice(from, from + MAX_CONCURRENT_CHECKS);
      const sizes = await Promise.all(found.map(({ sha256 }) => store.size(sha256)));
      if (sizes.some((size, at) => size !== found[at]?.size)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof ObjectMissingError) return false;
    throw error;
  }
}
