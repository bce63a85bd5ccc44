import type { Lock } from './mutex.js';
import { randomId } from './random-id.js';
import { pause } from './retry-delay.js';

/** `localStorage`, or a similar storage that all users of the lock share. */
export type SharedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A lock is released this long after the page that holds it is closed or crashes. */
const LEASE_MS = 20_000;
const RENEWAL_INTERVAL_MS = 5_000;
const POLL_INTERVAL_MS = 50;
/** Two pages may write at the same time. After this time both see the later of the two writes. */
const SETTLE_MS = 60;

interface Lease {
  owner: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * A lock between pages by a lease in their common storage, for browsers without `navigator.locks`. It is best effort: the
 * storage of browsers has no atomic "write if absent", so a page that is suspended for longer than its lease can meet
 * another one.
 */
export function lockByLease(storage: SharedStorage, key: string): Lock {
  return async (work) => {
    const owner = randomId();
    const write = () => storage.setItem(key, JSON.stringify({ owner, until: Date.now() + LEASE_MS } satisfies Lease));
    const isOwner = () => readLease(storage, key)?.owner === owner;
    for (;;) {
      const current = readLease(storage, key);
      // A clock that was set back must not leave a lease that lasts for hours.
      const isLocked = current !== null && current.until > Date.now() && current.until <= Date.now() + LEASE_MS;
      if (!isLocked) {
        write();
        await pause(SETTLE_MS);
        if (isOwner()) break;
      }
      await pause(POLL_INTERVAL_MS * (1 + Math.random()));
    }
    const renewal = setInterval(() => isOwner() && write(), RENEWAL_INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      if (isOwner()) storage.removeItem(key);
    }
  };
}

function readLease(storage: SharedStorage, key: string): Lease | null {
  try {
    const { owner, until } = JSON.parse(storage.getItem(key) ?? '') as Partial<Lease>;
    return typeof owner === 'string' && typeof until === 'number' ? { owner, until } : null;
  } catch {
    return null;
  }
}
