import { rmSync } from 'node:fs';
import { readJson } from '../write-json.mjs';
import { endProcess } from './end-process.mjs';
import { isRunning } from './process-identity.mjs';

/**
 * @typedef {{ name: string, pid: number, identity: string, stopSignal: NodeJS.Signals, pidNames: string[] }} Orphan
 */

/**
 * The processes that a supervisor which is no more left running. A pid that now belongs to another process is none of them.
 * @param {import('../layout.mjs').Layout} layout
 * @returns {Orphan[]}
 */
export function findOrphans(layout) {
  const named = Object.entries(knownProcesses(layout)).map(([name, process]) => ({ name, ...process }));
  return named.filter(isRunning);
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
  for (const { pidNames } of Object.values(knownProcesses(layout))) removePidFiles(layout, pidNames);
  rmSync(layout.state, { force: true });
  return orphans.map(({ name }) => name);
}

/**
 * @param {import('../layout.mjs').Layout} layout
 * @returns {Record<string, Omit<Orphan, 'name'>>}
 */
function knownProcesses(layout) {
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
  await Promise.all(orphans.map((orphan) => endProcess(orphan, orphan.stopSignal, 10_000)));
}
