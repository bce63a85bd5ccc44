import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findCommand } from '../machine/find-command.mjs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';
import { readJson } from '../write-json.mjs';
import { packagePaths } from './detect-install.mjs';
import { showProgress } from './show-progress.mjs';

/**
 * Installs exactly the packages of package-lock.json, and shows the number of installed packages during the installation.
 * @param {string} root
 */
export async function runNpmCi(root) {
  const paths = packagePaths(readJson(join(root, 'package-lock.json'))?.packages ?? {});
  const count = () => paths.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  const stopProgress = showProgress(() => `${count()} of ${paths.length} packages`);
  // The services need the development dependencies too (Node 24, turbo, swc), for any NODE_ENV. At log level "error" npm
  // omits its EBADENGINE warnings, because the packages run on Node 24, not on the Node that installs them.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runCommand('npm', args, { cwd: root, env: installEnv(root) }).finally(stopProgress);
  if (code !== 0) throw new UserError(`npm ci failed:\n${lastLines(output, 30)}`);
}

/**
 * An environment in which npm does not run on the Node inside node_modules, because npm replaces that folder.
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function installEnv(root) {
  const binFolder = join(root, 'node_modules', '.bin');
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== binFolder);
  const outside = path.join(delimiter);
  return { ...process.env, PATH: findCommand('node', outside) ? outside : process.env.PATH };
}
