import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { readJson } from '../write-json.mjs';

/**
 * Runs the current script again on the Node that npm installed, unless this is that Node, and ends with the same exit code.
 * @param {string} root
 * @param {string} node absolute path of that binary
 * @returns {Promise<boolean>} false if this is that Node already
 */
export async function enterRuntime(root, node) {
  putBinFirst(root);
  const { version } = readJson(join(root, 'node_modules', 'node', 'package.json')) ?? {};
  if (process.version === `v${version}`) return false;
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Only the child handles signals. A signal from a terminal arrives there twice, which the child expects.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  return true;
}

/**
 * Commands that this script starts by name (turbo, npm, node) come from node_modules, even if npm did not start the script.
 * @param {string} root
 */
function putBinFirst(root) {
  const bin = join(root, 'node_modules', '.bin');
  const path = process.env.PATH ?? '';
  if (!path.startsWith(`${bin}${delimiter}`)) process.env.PATH = `${bin}${delimiter}${path}`;
}
