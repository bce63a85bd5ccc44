import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintServices } from '../build/build-workspaces.mjs';

/** A check of a thousand files takes a few milliseconds and, unlike file system events, misses no change. */
const CHECK_INTERVAL_MS = 300;

/** Editors and git write several files in a row. */
const QUIET_PERIOD_MS = 100;

/**
 * Calls `onChange` after each change of the sources of services, one call at a time, until the signal aborts.
 * @param {string} root
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} onChange
 */
export async function watchSources(root, signal, onChange) {
  let last = fingerprintServices(root);
  while (!signal.aborted) {
    await sleep(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    let current = fingerprintServices(root);
    if (signal.aborted || current === last) continue;
    do {
      last = current;
      await sleep(QUIET_PERIOD_MS);
      current = fingerprintServices(root);
    } while (current !== last);
    await onChange();
  }
}
