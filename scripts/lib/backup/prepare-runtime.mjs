import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkspaces } from '../build/build-workspaces.mjs';
import { ensureInstalled } from '../install/ensure-installed.mjs';
import { enterRuntime } from '../install/enter-runtime.mjs';
import { ROOT } from '../layout.mjs';
import { phase } from '../report.mjs';

/**
 * Continues the command on the Node of the repository, with its packages installed and built: a restore may be the first
 * command on a machine. An image has all of this, and no lock file of packages.
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<boolean>} true if another process has done the work of the command; its exit code is set
 */
export async function prepareRuntime(report) {
  if (!existsSync(join(ROOT, 'package-lock.json'))) return false;
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return true;
  // The services of a running system read these files, so an existing build stays as it is.
  if (!existsSync(join(ROOT, 'libs', 'persistence', 'dist'))) await phase(report, 'build', () => buildWorkspaces(ROOT));
  return false;
}
