import { setTimeout as sleep } from 'node:timers/promises';
import { findLockHolder } from '../process/acquire-lock.mjs';
import { readJson } from '../write-json.mjs';

/**
 * Finds the system that runs in a data directory.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {{ pid: number, identity: string, state: import('../process/supervisor.mjs').State | undefined } | undefined}
 */
export function findRunning(layout) {
  const holder = findLockHolder(layout.lock);
  if (!holder) return undefined;
  const state = readJson(layout.state);
  return { ...holder, state: state?.supervisor?.pid === holder.pid ? state : undefined };
}

/**
 * Waits while a supervisor starts or stops.
 * @param {import('../layout.mjs').Layout} layout
 * @param {number} [timeoutMs]
 * @returns {Promise<ReturnType<typeof findRunning>>} the running system; undefined if there is none
 */
export async function settleRunning(layout, timeoutMs = 120_000) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const running = findRunning(layout);
    if (!running || running.state?.phase === 'ready' || performance.now() > deadline) return running;
    await sleep(100);
  }
}
