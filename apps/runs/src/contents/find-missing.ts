import type { ObjectStore } from '@millrace/storage/object-store';

/** Requests to the store at once; a remote one answers each after some milliseconds. */
const CONCURRENCY = 16;

/** @returns the objects that are not stored */
export async function findMissing(store: Pick<ObjectStore, 'has'>, hashes: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let start = 0; start < hashes.length; start += CONCURRENCY) {
    const batch = hashes.slice(start, start + CONCURRENCY);
    const found = await Promise.all(batch.map((hash) => store.has(hash)));
    missing.push(...batch.filter((_, index) => !found[index]));
  }
  return missing;
}
