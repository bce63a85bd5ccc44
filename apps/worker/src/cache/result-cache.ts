import { Logger } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { MAX_CACHE_KEYS, type CachedResult } from '@millrace/contracts/runs/cache';
import { type ObjectStore } from '@millrace/storage/object-store';
import { isStored } from './is-stored.js';

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
      // `not_found` is no failure of the service: the dispatch was cancelled, or another worker has it.
      if (!(error instanceof ApiError && error.code === 'not_found')) this.pause(error);
    }
    return found;
  }

  private pause(error: unknown): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    this.logger.warn({ message: 'Cache lookup failed; steps are executed', error, retryInMs: PAUSE_MS });
  }
}
