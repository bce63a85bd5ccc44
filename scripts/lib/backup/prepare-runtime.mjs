import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkspaces } from '../build/build-workspaces.mjs';
import { ensureInstalled } from '../install/ensure-installed.mjs';
import { enterRuntime } from '../install/enter-runtime.mjs';
import { dataLayout, resolveDataDir, ROOT } from '../layout.mjs';
import { phase, UserError } from '../report.mjs';
import { findRunning } from '../system/find-running.mjs';

const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');
const BUILT = join(ROOT, 'libs', 'persistence', 'dist');

/**
 * Continues a command on the Node of the repository. It installs and builds only if that has never been done: a running system
 * uses the packages and the build, and they may belong to an earlier version than the sources. An image has everything.
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<boolean>} true if another process has done the work of the command; its exit code is set
 */
export async function prepareRuntime(report) {
  if (isImage()) return false;
  const node = existsSync(NODE) && existsSync(BUILT) ? NODE : (await ensureInstalled(ROOT, report)).node;
  if (await enterRuntime(ROOT, node)) return true;
  if (!existsSync(BUILT)) await phase(report, 'build', () => buildWorkspaces(ROOT));
  return false;
}

/**
 * The same for a restore, which needs the packages and the build of exactly this version.
 * @param {import('../report.mjs').Report} report
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} if the system of the data directory runs
 */
export async function prepareRestore(report, env) {
  if (findRunning(dataLayout(resolveDataDir(env))))
    throw new UserError('Millrace is running. Stop it first: npm run down');
  if (isImage()) return false;
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return true;
  await buildWorkspaces(ROOT);
  return false;
}

/** An image has no lock file of packages. */
const isImage = () => !existsSync(join(ROOT, 'package-lock.json'));
