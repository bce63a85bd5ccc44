import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-identity.mjs';

/**
 * Sends a signal and takes it for done where the process has gone meanwhile, or its pid is somebody else's by now.
 * @param {number} pid a negative one is a process group
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
 * @returns {Promise<boolean>} whether it has gone
 */
export async function waitGone(ref, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  while (isRunning(ref)) {
    if (performance.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/**
 * Ends a process that this one did not start: sends the signal, waits, then kills the process with its group (each
 * process that a supervisor starts leads one).
 * @param {import('./process-identity.mjs').ProcessRef} ref
 * @param {NodeJS.Signals} signal
 * @param {number} timeoutMs
 */
export async function endProcess(ref, signal, timeoutMs) {
  if (!isRunning(ref)) return;
  sendSignal(ref.pid, signal);
  if (!(await waitGone(ref, timeoutMs))) sendSignal(ref.pid, 'SIGKILL');
  await waitGone(ref, 5_000);
  sendSignal(-ref.pid, 'SIGKILL');
}
