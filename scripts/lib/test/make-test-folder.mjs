import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from '../process/process-identity.mjs';
import { writeJson } from '../write-json.mjs';
import { OWNER_FILE, PREFIX } from './sweep-leftovers.mjs';
import { testRoot } from './test-root.mjs';

/**
 * Makes the folder that holds everything of one test run.
 * @returns {{ folder: string, servers: string, system: string, scratch: string, results: string, secrets: string, logs: string }} data directories of the
 *   servers and of the whole system, the suites' temporary directory, Jest's result file, the secrets that the tests come to know, and the logs
 *   of systems that suites start themselves
 */
export function makeTestFolder() {
  const folder = mkdtempSync(join(testRoot(), PREFIX));
  // PostgreSQL's own user passes through it where root runs the tests.
  chmodSync(folder, 0o711);
  writeJson(join(folder, OWNER_FILE), { pid: process.pid, identity: processIdentity(process.pid) });
  const at = (/** @type {string} */ name) => join(folder, name);
  mkdirSync(at('tmp'));
  return {
    folder,
    servers: at('servers'),
    system: at('system'),
    scratch: at('tmp'),
    results: at('results.json'),
    secrets: at('secrets'),
    logs: at('logs'),
  };
}
