import { ROOT } from '../layout.mjs';
import { openSystem } from './open-system.mjs';
import { startSystem } from './start-system.mjs';
import { watchDisk } from './watch-disk.mjs';

/** A terminal's Ctrl-C arrives twice, from the terminal and through npm. Only a later signal kills the system. */
const SAME_SIGNAL_WINDOW_MS = 1_000;

/**
 * @typedef {object} RunOptions
 * @property {import('../layout.mjs').Layout} layout
 * @property {NodeJS.ProcessEnv} env
 * @property {string} mode shown by status
 * @property {boolean} single
 * @property {import('../report.mjs').Report} report
 * @property {boolean} [waitForRepair] keep waiting for services that die repeatedly
 * @property {(running: RunningSystem) => void} [onStarted] called when the processes are started, before all are ready
 * @property {(running: RunningSystem) => Promise<void> | void} onReady
 *
 * @typedef {import('./start-system.mjs').StartedSystem & { system: import('./open-system.mjs').OpenSystem, signal: AbortSignal }} RunningSystem
 */

/**
 * Runs a system in this process until a signal arrives, then stops it in order.
 * @param {RunOptions} options
 */
export async function runSystem({ layout, env, mode, single, report, waitForRepair = false, onStarted, onReady }) {
  const system = await openSystem(layout, { mode, report, onEvent: (event) => report(`  ${event}`) });
  const ending = new AbortController();
  const { signal } = ending;
  onEndSignal(
    () => ending.abort(),
    () => (system.kill(), process.exit(130)),
  );
  try {
    const { supervisor, secrets } = system;
    const running = (/** @type {import('./start-system.mjs').StartedSystem} */ started) => ({
      ...started,
      system,
      signal,
    });
    const context = {
      root: ROOT,
      node: process.execPath,
      layout,
      env,
      secrets,
      supervisor,
      report,
      durable: true,
      signal,
    };
    const notifyStarted = (/** @type {import('./start-system.mjs').StartedSystem} */ started) =>
      onStarted?.(running(started));
    void watchDisk({ layout, supervisor, report, signal });
    await onReady(running(await startSystem({ ...context, single, waitForRepair, onStarted: notifyStarted })));
    await aborted(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    report('Stopping …');
    ending.abort();
    await system.stop();
    report('Stopped.');
  }
}

/**
 * @param {() => void} end called at the first signal
 * @param {() => void} kill called at a later signal
 */
export function onEndSignal(end, kill) {
  let first = 0;
  const act = () => {
    if (first === 0) {
      first = performance.now();
      end();
    } else if (performance.now() - first > SAME_SIGNAL_WINDOW_MS) kill();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, act);
}

/** @param {AbortSignal} signal */
function aborted(signal) {
  // A pending promise does not keep this process running. The supervised children do; without children, this timer does.
  const keepAlive = setInterval(() => undefined, 60_000);
  return new Promise((resolve) => {
    const end = () => (clearInterval(keepAlive), resolve(undefined));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}
