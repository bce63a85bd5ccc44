import { lockByLease, type SharedStorage } from './lock-by-lease.js';
import { createMutex, type Lock } from './mutex.js';
import type { SessionCredentials, SessionStore } from './session-tokens.js';

/**
 * A session that all pages of one origin share, stored in `localStorage` by default. Its lock is `navigator.locks`. Browsers
 * do not have that on plain HTTP at a LAN address; a lease in the storage replaces it.
 * @param key the key of the session in the storage; the name of the lock begins with it
 */
export function sessionInBrowser(key: string, storage: SharedStorage = localStorage): SessionStore {
  return {
    read: () => Promise.resolve(parseSession(storage.getItem(key))),
    write: (session) => {
      if (session === null) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(session));
      return Promise.resolve();
    },
    exclusively: chooseLock(`${key}.lock`, storage),
  };
}

function chooseLock(name: string, storage: SharedStorage): Lock {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (locks) return async (work) => await locks.request(name, work);
  const [inPage, betweenPages] = [createMutex(), lockByLease(storage, name)];
  return (work) => inPage(() => betweenPages(work));
}

function parseSession(text: string | null): SessionCredentials | null {
  try {
    const { access, refresh, expiresAt } = JSON.parse(text ?? '') as Partial<SessionCredentials>;
    const isComplete = [access, refresh, expiresAt].every((field) => typeof field === 'string');
    return isComplete ? ({ access, refresh, expiresAt } as SessionCredentials) : null;
  } catch {
    return null;
  }
}
