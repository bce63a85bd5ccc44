import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '../process/process-identity.mjs';
import { writeJson } from '../write-json.mjs';
import { OWNER_FILE, PREFIX } from './sweep-leftovers.mjs';

/**
 * Makes the folder that holds everything of one test run.
 * @returns {{ folder: string, servers: string, system: string, scratch: string, results: string }} data directories of the
 *   servers and of the whole system, the suites' temporary directory, and Jest's result file
 */
export function makeTestFolder() {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // PostgreSQL's own user passes through it where root runs the tests.
  chmodSync(folder, 0o711);
  writeJson(join(folder, OWNER_FILE), { pid: process.pid, identity: processIdentity(process.pid) });
  const at = (/** @type {string} */ name) => join(folder, name);
  mkdirSync(at('tmp'));
  return { folder, servers: at('servers'), system: at('system'), scratch: at('tmp'), results: at('results.json') };
}
