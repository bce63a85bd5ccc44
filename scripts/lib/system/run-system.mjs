import { ROOT } from '../layout.mjs';
import { openSystem } from './open-system.mjs';
import { startSystem } from './start-system.mjs';
import { watchDisk } from './watch-disk.mjs';

/** A terminal's Ctrl-C arrives twice, from the terminal and through npm: only a later one means "now". */
const SAME_SIGNAL_MS = 1_000;

/**
 * @typedef {object} RunOptions
 * @property {import('../layout.mjs').Layout} layout
 * @property {NodeJS.ProcessEnv} env
 * @property {string} mode shown by status
 * @property {boolean} single
 * @property {import('../report.mjs').Report} report
 * @property {boolean} [patient] wait for services that keep dying
 * @property {(running: RunningSystem) => void} [onStarted] the processes are there, not all of them ready yet
 * @property {(running: RunningSystem) => void} onReady
 *
 * @typedef {import('./start-system.mjs').StartedSystem & { system: import('./open-system.mjs').OpenSystem, signal: AbortSignal }} RunningSystem
 */

/**
 * Runs a system in this process until a signal ends it, and ends it in order.
 * @param {RunOptions} options
 */
export async function runSystem({ layout, env, mode, single, report, patient = false, onStarted, onReady }) {
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
    onReady(running(await startSystem({ ...context, single, patient, onStarted: notifyStarted })));
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
 * @param {() => void} end at the first signal
 * @param {() => void} kill at a later one
 */
export function onEndSignal(end, kill) {
  let first = 0;
  const act = () => {
    if (first === 0) {
      first = performance.now();
      end();
    } else if (performance.now() - first > SAME_SIGNAL_MS) kill();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, act);
}

/** @param {AbortSignal} signal */
function aborted(signal) {
  // A pending promise keeps no process alive; the supervised children do, and where there are none this timer does.
  const alive = setInterval(() => undefined, 60_000);
  return new Promise((resolve) => {
    const end = () => (clearInterval(alive), resolve(undefined));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}
