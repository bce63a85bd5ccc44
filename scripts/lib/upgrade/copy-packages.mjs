import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listWorkspaces } from '../build/list-workspaces.mjs';
import { isInstalled, lockStamp } from '../install/detect-install.mjs';

/**
 * Copies the installed packages of one checkout into another if both have the same lock file. Takes seconds instead of the
 * minutes of an installation.
 * @param {string} from
 * @param {string} to
 */
export function copyPackages(from, to) {
  if (lockStamp(from) !== lockStamp(to) || isInstalled(to)) return;
  for (const folder of ['', ...listWorkspaces(from).map((workspace) => workspace.folder)]) {
    const packages = join(folder, 'node_modules');
    if (!existsSync(join(from, packages))) continue;
    // The cache has the other checkout, among other things.
    const names = readdirSync(join(from, packages)).filter((name) => name !== '.cache');
    for (const name of names)
      cpSync(join(from, packages, name), join(to, packages, name), { recursive: true, verbatimSymlinks: true });
  }
}
