import { rmSync } from 'node:fs';
import { endOrphans } from '../process/end-orphans.mjs';
import { sendSignal, waitGone } from '../process/end-process.mjs';
import { SERVERS } from '../services.mjs';
import { findRunning } from './find-running.mjs';

/** Longer than the services (15 s) and the servers (30 s) may take one after the other. */
const STOP_MS = 50_000;

/**
 * Ends the system of a data directory: its supervisor, which ends the rest in order, and what a killed one left behind.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {Promise<{ supervised: boolean, orphans: string[] }>} what there was to end
 */
export async function stopRunning(layout) {
  const running = findRunning(layout);
  if (running) {
    sendSignal(running.pid, 'SIGTERM');
    if (!(await waitGone(running, STOP_MS))) sendSignal(running.pid, 'SIGKILL');
    await waitGone(running, 5_000);
  }
  const orphans = await endOrphans(layout, Object.keys(SERVERS));
  if (!findRunning(layout)) rmSync(layout.lock, { force: true });
  return { supervised: Boolean(running), orphans };
}
