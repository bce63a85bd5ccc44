import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type CachedResult } from '@millrace/contracts/runs/cache';
import { ObjectMissingError, type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { readFileSet } from '../inputs/file-sets.js';

/** Objects that are checked concurrently: a remote store takes about 20 ms for each. */
const MAX_CONCURRENT_CHECKS = 100;

/** Whether all objects of a cached result are in the store: outputs, their masked copies, logs. */
export async function isStored({ outputs, stdout, stderr }: CachedResult, store: ObjectStore): Promise<boolean> {
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
