import { rmSync } from 'node:fs';
import { readJson } from '../write-json.mjs';
import { endProcess } from './end-process.mjs';
import { isRunning } from './process-identity.mjs';

/**
 * @typedef {{ name: string, pid: number, identity: string, stopSignal: NodeJS.Signals, stopTimeoutMs?: number, pidNames: string[] }} Orphan
 */

/**
 * The processes that a killed supervisor left running. A pid that now belongs to another process does not count.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {Orphan[]}
 */
export function findOrphans(layout) {
  const named = Object.entries(recordedProcesses(layout)).map(([name, process]) => ({ name, ...process }));
  return named.filter(isRunning);
}

/**
 * Ends the orphans, servers last, and removes the old state. An orphaned app must not run beside its successor, because it
 * would process jobs with an outdated configuration.
 * @param {import('../layout.mjs').Layout} layout
 * @param {readonly string[]} servers names of the servers
 * @returns {Promise<string[]>} names of the ended processes
 */
export async function endOrphans(layout, servers) {
  const orphans = findOrphans(layout);
  const isServer = (/** @type {{ name: string }} */ { name }) => servers.includes(name);
  await endAll(orphans.filter((orphan) => !isServer(orphan)));
  await endAll(orphans.filter(isServer));
  for (const { pidNames } of Object.values(recordedProcesses(layout))) removePidFiles(layout, pidNames);
  rmSync(layout.state, { force: true });
  return orphans.map(({ name }) => name);
}

/**
 * @param {import('../layout.mjs').Layout} layout
 * @returns {Record<string, Omit<Orphan, 'name'>>}
 */
function recordedProcesses(layout) {
  return readJson(layout.state)?.processes ?? {};
}

/**
 * @param {import('../layout.mjs').Layout} layout
 * @param {string[]} names
 */
function removePidFiles(layout, names) {
  for (const name of names) rmSync(layout.pid(name), { force: true });
}

/** @param {Orphan[]} orphans */
async function endAll(orphans) {
  await Promise.all(
    orphans.map((orphan) => endProcess(orphan, orphan.stopSignal, Math.max(10_000, orphan.stopTimeoutMs ?? 0))),
  );
}
