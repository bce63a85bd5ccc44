import { setTimeout as sleep } from 'node:timers/promises';
import { lockHolder } from '../process/take-lock.mjs';
import { readJson } from '../write-json.mjs';

/**
 * The system that runs in a data directory.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {{ pid: number, identity: string, state: import('../process/supervisor.mjs').State | undefined } | undefined}
 */
export function findRunning(layout) {
  const holder = lockHolder(layout.lock);
  if (!holder) return undefined;
  const state = readJson(layout.state);
  return { ...holder, state: state?.supervisor?.pid === holder.pid ? state : undefined };
}

/**
 * Waits while a supervisor starts or stops.
 * @param {import('../layout.mjs').Layout} layout
 * @param {number} [timeoutMs]
 * @returns {Promise<ReturnType<typeof findRunning>>} the system that is up, or undefined where none is
 */
export async function settleRunning(layout, timeoutMs = 120_000) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const running = findRunning(layout);
    if (!running || running.state?.phase === 'ready' || performance.now() > deadline) return running;
    await sleep(100);
  }
}
