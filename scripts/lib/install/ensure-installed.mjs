import { existsSync, writeFileSync } from 'node:fs';
import { phase } from '../report.mjs';
import { isInstalled, lockStamp, stampFile } from './detect-install.mjs';
import { ensureNode } from './ensure-node.mjs';
import { ensurePostgres } from './ensure-postgres.mjs';
import { runNpmCi } from './run-npm-ci.mjs';

/**
 * Installs the packages of package-lock.json. If they are installed already, this takes a few milliseconds.
 * @param {string} root
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<{ node: string }>} path of the Node 24 binary that runs everything else
 */
export async function ensureInstalled(root, report) {
  if (!isInstalled(root)) {
    report('Installing dependencies (npm ci) …');
    await phase(report, 'dependencies', () => runNpmCi(root));
  }
  const node = await ensureNode(root, report);
  await ensurePostgres(root);
  if (!existsSync(stampFile(root))) writeFileSync(stampFile(root), lockStamp(root));
  return { node };
}
