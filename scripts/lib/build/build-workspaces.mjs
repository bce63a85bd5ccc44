import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../report.mjs';
import { runCommand } from '../run-command.mjs';
import { readJson, writeJson } from '../write-json.mjs';
import { fingerprintTree } from './fingerprint-tree.mjs';
import { listWorkspaces } from './list-workspaces.mjs';

/** If no build is needed, turbo takes half a second to find out, and this file a few milliseconds. */
const STAMP = join('node_modules', '.cache', 'millrace-build.json');

const NOT_SOURCE = new Set(['node_modules', 'dist', '.turbo', 'generated', 'coverage']);

/**
 * Builds all packages through turbo's cache, unless sources and outputs are the same as after the last build.
 * @param {string} root
 * @returns {Promise<void>}
 */
export async function buildWorkspaces(root) {
  const stamp = join(root, STAMP);
  const sources = fingerprintSources(root);
  const last = readJson(stamp);
  if (last?.sources === sources && last.outputs === fingerprintOutputs(root)) return;
  const { code, output } = await runCommand(
    'turbo',
    ['run', 'build', '--output-logs=errors-only', '--log-prefix=task', '--no-color'],
    { cwd: root, env: buildEnv() },
  );
  if (code !== 0) throw new UserError(`The build failed:\n${output.trimEnd()}`);
  mkdirSync(dirname(stamp), { recursive: true });
  writeJson(stamp, { sources, outputs: fingerprintOutputs(root) });
}

/** @returns {NodeJS.ProcessEnv} */
export function buildEnv() {
  return { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
}

/**
 * A hash of the files that the build reads. Tests are not among them.
 * @param {string} root
 */
export function fingerprintSources(root) {
  const files = [
    '.swcrc',
    'tsconfig.base.json',
    'turbo.json',
    'package.json',
    'package-lock.json',
    'prisma',
    'apps',
    'libs',
  ];
  return fingerprintTree(
    files.map((file) => join(root, file)),
    (name) => NOT_SOURCE.has(name) || name.endsWith('.spec.ts'),
  );
}

/** @param {string} root */
function fingerprintOutputs(root) {
  const built = listWorkspaces(root).filter((workspace) => workspace.builds);
  return fingerprintTree(
    built.flatMap(({ folder }) => [join(root, folder, 'dist'), join(root, folder, 'src', 'generated')]),
    (name) => name === 'node_modules',
  );
}
