import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from '../process/process-identity.mjs';
import { writeJson } from '../write-json.mjs';
import { OWNER_FILE, PREFIX } from './sweep-leftovers.mjs';
import { testRoot } from './test-root.mjs';

/**
 * Makes the folder that holds everything of one test run.
 * @returns {{ folder: string, servers: string, system: string, scratch: string, results: string, secrets: string, logs: string, browser: string, cases: string }} data directories of the
 *   servers and of the whole system, the suites' temporary directory, Jest's result file, the secrets that tests receive, the logs of
 *   systems that suites start, the results of browser tests, and those of cases of the fault matrix
 */
export function makeTestFolder() {
  const folder = mkdtempSync(join(testRoot(), PREFIX));
  // If root runs the tests, PostgreSQL runs as another user, who needs to traverse the folder.
  chmodSync(folder, 0o711);
  writeJson(join(folder, OWNER_FILE), { pid: process.pid, identity: processIdentity(process.pid) });
  const pathOf = (/** @type {string} */ name) => join(folder, name);
  mkdirSync(pathOf('tmp'));
  return {
    folder,
    servers: pathOf('servers'),
    system: pathOf('system'),
    scratch: pathOf('tmp'),
    results: pathOf('results.json'),
    secrets: pathOf('secrets'),
    logs: pathOf('logs'),
    browser: pathOf('browser'),
    cases: pathOf('cases.jsonl'),
  };
}
