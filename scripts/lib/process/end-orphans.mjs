import { rmSync } from 'node:fs';
import { readJson } from '../write-json.mjs';
import { endProcess } from './end-process.mjs';
import { isRunning } from './process-identity.mjs';

/**
 * The processes that a supervisor which is no more left running. A pid that now belongs to another process is none of them.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {{ name: string, pid: number, identity: string, stopSignal: NodeJS.Signals }[]}
 */
export function findOrphans(layout) {
  const processes = Object.entries(readJson(layout.state)?.processes ?? {});
  return processes.map(([name, process]) => ({ name, .../** @type {any} */ (process) })).filter(isRunning);
}

/**
 * Ends them, the servers after what uses them, and removes the old state. A leftover app must not live on beside its
 * successor: it would take jobs with a configuration that no longer holds.
 * @param {import('../layout.mjs').Layout} layout
 * @param {readonly string[]} servers names of the servers
 * @returns {Promise<string[]>} their names
 */
export async function endOrphans(layout, servers) {
  const orphans = findOrphans(layout);
  const isServer = (/** @type {{ name: string }} */ { name }) => servers.includes(name);
  await endAll(orphans.filter((orphan) => !isServer(orphan)));
  await endAll(orphans.filter(isServer));
  rmSync(layout.state, { force: true });
  return orphans.map(({ name }) => name);
}

/** @param {ReturnType<typeof findOrphans>} orphans */
async function endAll(orphans) {
  await Promise.all(orphans.map((orphan) => endProcess(orphan, orphan.stopSignal, 10_000)));
}
