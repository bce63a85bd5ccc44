import { onEndSignal } from '../../scripts/lib/system/run-system.mjs';

/** @type {(() => Promise<void>)[]} */
const stops = [];

/**
 * Stops a process that a benchmark has started if SIGINT, SIGTERM or SIGHUP ends the benchmark. A terminal sends Ctrl-C only to
 * processes of its own session, and what a benchmark starts has another one.
 * @param {() => Promise<void>} stop may be called a second time
 */
export function stopOnSignal(stop) {
  stops.push(stop);
  if (stops.length > 1) return;
  const end = async () => {
    // The latest first: a copy of a service needs the servers until it has ended.
    for (const stopOne of stops.toReversed()) await stopOne().catch(console.error);
    process.exit(130);
  };
  onEndSignal(
    () => void end(),
    () => process.exit(130),
  );
}
