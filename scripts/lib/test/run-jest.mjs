import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { sendSignal } from '../process/end-process.mjs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

/** As arguments of node, not as NODE_OPTIONS: Jest hands them to its workers, and no process that a test starts gets them. */
const NODE_ARGS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
];

// In the repository's cache and not in the system's temporary directory, where it would stay behind.
const JEST_ARGS = [`--cacheDirectory=${join(ROOT, 'node_modules', '.cache', 'jest')}`];

/**
 * @param {string[]} args for Jest
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} the test files that Jest would run
 */
export async function listTests(args, env) {
  const { code, output } = await runCommand(process.execPath, [...NODE_ARGS, ...JEST_ARGS, '--listTests', ...args], {
    cwd: ROOT,
    env,
  });
  if (code !== 0) throw new UserError(`Jest does not start:\n${lastLines(output, 30)}`);
  return output.split('\n').filter((line) => /\.spec\.(ts|mjs)$/.test(line));
}

/**
 * @param {string[]} files absolute paths of sources and tests
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} the test files that import them, directly or not
 */
export async function findRelatedTests(files, env) {
  return files.length === 0 ? [] : listTests(['--passWithNoTests', '--findRelatedTests', ...files], env);
}

/**
 * Runs the tests, their output going to the terminal.
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, results: string, signal: AbortSignal, watch: boolean }} options results: file for Jest's JSON
 * @returns {Promise<number>} Jest's exit code
 */
export function runJest(args, { env, results, signal, watch }) {
  const json = watch ? [] : ['--json', `--outputFile=${results}`];
  const all = [...NODE_ARGS, ...JEST_ARGS, ...json, ...args];
  // A group of its own, so that an end reaches Jest's workers and what the tests started. A watching Jest reads the
  // terminal, which only the terminal's own group may do.
  const child = spawn(process.execPath, all, { cwd: ROOT, env, stdio: 'inherit', detached: !watch });
  const end = () => child.pid && sendSignal(watch ? child.pid : -child.pid, 'SIGKILL');
  signal.addEventListener('abort', end);
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (code) => {
      signal.removeEventListener('abort', end);
      resolve(code ?? 1);
    });
  });
}
