import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintSources } from '../build/build-workspaces.mjs';

/** One look at a thousand files costs some milliseconds, and unlike file system events it misses nothing. */
const LOOK_EVERY_MS = 300;

/** Editors and git write several files in a row. */
const QUIET_MS = 100;

/**
 * Calls back after each change of what the build reads, one call at a time, until the signal aborts.
 * @param {string} root
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} onChange
 */
export async function watchSources(root, signal, onChange) {
  let known = fingerprintSources(root);
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    let now = fingerprintSources(root);
    if (signal.aborted || now === known) continue;
    do {
      known = now;
      await sleep(QUIET_MS);
      now = fingerprintSources(root);
    } while (now !== known);
    await onChange();
  }
}
