import { rmSync } from 'node:fs';
import { endOrphans } from '../process/end-orphans.mjs';
import { sendSignal, waitForExit } from '../process/end-process.mjs';
import { SERVERS } from '../services.mjs';
import { findRunning } from './find-running.mjs';

/** Longer than the stop of the services (15 s, after the workers) and then of the servers (30 s) may take. */
const STOP_TIMEOUT_MS = 50_000;

/**
 * Stops the system of a data directory: its supervisor, which stops the other processes in order, and any processes of a
 * killed supervisor.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {Promise<{ supervised: boolean, orphans: string[] }>} whether a supervisor ran, and the names of orphans
 */
export async function stopRunning(layout) {
  const running = findRunning(layout);
  if (running) {
    sendSignal(running.pid, 'SIGTERM');
    if (!(await waitForExit(running, workerTimeout(running.state) + STOP_TIMEOUT_MS)))
      sendSignal(running.pid, 'SIGKILL');
    await waitForExit(running, 5_000);
  }
  const orphans = await endOrphans(layout, Object.keys(SERVERS));
  if (!findRunning(layout)) rmSync(layout.lock, { force: true });
  return { supervised: Boolean(running), orphans };
}

/**
 * How long the workers may take, which finish their running steps before the other services stop.
 * @param {import('../process/supervisor.mjs').State | undefined} state
 */
function workerTimeout(state) {
  const { worker, single } = state?.processes ?? {};
  return (worker ?? single)?.stopTimeoutMs ?? 0;
}
