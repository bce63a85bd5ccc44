import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { phase, UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';
import { readJson } from '../write-json.mjs';
import { installEnv } from './run-npm-ci.mjs';

/**
 * Ensures that the Node binary of the npm package `node` is installed. The package's install script downloads it. If npm
 * does not run install scripts (npm 12 requires `allowScripts`), the script runs here.
 * @param {string} root
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<string>} absolute path
 */
export async function ensureNode(root, report) {
  const folder = join(root, 'node_modules', 'node');
  const node = join(folder, 'bin', 'node');
  if (existsSync(node)) return node;
  const { version } = readJson(join(folder, 'package.json')) ?? {};
  const { code, output } = await phase(report, `Node ${version}`, () =>
    runCommand(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder, env: installEnv(root) }),
  );
  if (code !== 0 || !existsSync(node))
    throw new UserError(`Could not install Node ${version}:\n${lastLines(output, 15)}`);
  return node;
}
