import type { SharedStorage } from '../lock-by-lease.js';

/** Stands in for the `localStorage` that the pages of one origin share. */
export function storageInMemory(): SharedStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
