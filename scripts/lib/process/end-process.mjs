import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-identity.mjs';

/**
 * Sends a signal. Ignores a process that has ended, or whose pid now belongs to another user's process.
 * @param {number} pid a negative number is a process group
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/**
 * @param {import('./process-identity.mjs').ProcessRef} ref
 * @param {number} timeoutMs
 * @returns {Promise<boolean>} whether the process has ended
 */
export async function waitForExit(ref, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  while (isRunning(ref)) {
    if (performance.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/**
 * Ends a process that this process did not start: sends the signal, waits, then kills the process and its group. Each
 * process that a supervisor starts leads a group.
 * @param {import('./process-identity.mjs').ProcessRef} ref
 * @param {NodeJS.Signals} signal
 * @param {number} timeoutMs
 */
export async function endProcess(ref, signal, timeoutMs) {
  if (!isRunning(ref)) return;
  sendSignal(ref.pid, signal);
  if (!(await waitForExit(ref, timeoutMs))) sendSignal(ref.pid, 'SIGKILL');
  await waitForExit(ref, 5_000);
  sendSignal(-ref.pid, 'SIGKILL');
}
