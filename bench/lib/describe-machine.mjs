import { cpus, totalmem } from 'node:os';
import { runShell } from './run-shell.mjs';

/**
 * What figures of a measurement depend on.
 * @typedef {{ date: string, commit: string, node: string, processors: string, memoryGib: number }} Machine
 */

/** @returns {Promise<Machine>} this machine, and the commit of the repository */
export async function describeMachine() {
  const models = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: (await runShell('git rev-parse --short=10 HEAD', import.meta.dirname)).trim(),
    node: process.version,
    processors: `${models.length} × ${models[0]?.model ?? 'unknown'}`,
    memoryGib: Math.round(totalmem() / 2 ** 30),
  };
}
