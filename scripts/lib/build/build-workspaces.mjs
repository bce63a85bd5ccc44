import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../report.mjs';
import { runCommand } from '../run-command.mjs';
import { readJson, writeJson } from '../write-json.mjs';
import { fingerprintTree } from './fingerprint-tree.mjs';
import { listWorkspaces } from './list-workspaces.mjs';

/** If no build is needed, turbo takes half a second to find out, and this file a few milliseconds. */
const STAMP = join('node_modules', '.cache', 'millrace-build.json');

const NOT_SOURCE = new Set(['node_modules', 'dist', '.turbo', 'generated', 'coverage', 'e2e', 'screenshots']);

/** `npm run dev` does not build the browser app, because its development server reads the sources. */
export const DASHBOARD = { name: '@millrace/dashboard', folder: join('apps', 'dashboard') };

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
  await runBuild(root, ['build', 'bundle']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeJson(stamp, { sources, outputs: fingerprintOutputs(root) });
}

/** @returns {NodeJS.ProcessEnv} */
export function buildEnv() {
  return { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
}

/**
 * Builds all packages except the browser app, without bundles: in development, services run as they were compiled.
 * @param {string} root
 * @returns {Promise<void>}
 */
export async function buildServices(root) {
  // With --only, turbo does not build it as a dependency of the gateway either, which reads its files at each request.
  await runBuild(root, ['build', '--only', `--filter=!${DASHBOARD.name}`]);
}

/**
 * @param {string} root
 * @param {string[]} args tasks and options
 */
async function runBuild(root, args) {
  const { code, output } = await runCommand(
    'turbo',
    ['run', ...args, '--output-logs=errors-only', '--log-prefix=task', '--no-color'],
    { cwd: root, env: buildEnv() },
  );
  if (code !== 0) throw new UserError(`The build failed:\n${output.trimEnd()}`);
}

/**
 * A hash of the files that the build of the services reads.
 * @param {string} root
 */
export function fingerprintServices(root) {
  return fingerprintSources(root, join(root, DASHBOARD.folder));
}

/**
 * A hash of the files that the build reads. Tests are not among them.
 * @param {string} root
 * @param {string} [without] a folder to leave out
 */
function fingerprintSources(root, without) {
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
    (name, path) => NOT_SOURCE.has(name) || name.endsWith('.spec.ts') || path === without,
  );
}

/** @param {string} root */
function fingerprintOutputs(root) {
  const built = listWorkspaces(root).filter((workspace) => workspace.builds);
  return fingerprintTree(
    built.flatMap(({ folder }) => ['dist', join('src', 'generated')].map((output) => join(root, folder, output))),
    (name) => name === 'node_modules',
  );
}
