import type { SharedStorage } from '../lock-by-lease.js';

/** What `localStorage` is to the pages of one origin. */
export function storageInMemory(): SharedStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
