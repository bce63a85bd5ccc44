import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type CachedResult } from '@millrace/contracts/runs/cache';
import { ObjectMissingError, type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import { readFileSet } from '../inputs/file-sets.js';

/** Objects looked at together: a store on another server takes some 20 ms for each. */
const AT_ONCE = 100;

/** Whether everything that a cached result names is in the store: outputs, their masked copies, logs. */
export async function isStored({ outputs, stdout, stderr }: CachedResult, store: ObjectStore): Promise<boolean> {
  try {
    const files = await readFileSet(outputs, store);
    const objects: StoredObject[] = [stdout, stderr].filter((log) => log !== null);
    for (const file of files) objects.push(file, ...(file.shown ? [file.shown] : []));
    for (let from = 0; from < objects.length; from += AT_ONCE) {
      if (from > 0) await yieldToEventLoop();
      const found = objects.slice(from, from + AT_ONCE);
      const sizes = await Promise.all(found.map(({ sha256 }) => store.size(sha256)));
      if (sizes.some((size, at) => size !== found[at]?.size)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof ObjectMissingError) return false;
    throw error;
  }
}
