import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { sendSignal } from '../process/end-process.mjs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

/** Arguments of node instead of NODE_OPTIONS: Jest passes them to its workers, but processes that tests start do not inherit them. */
const NODE_ARGS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'),
];

// Jest's default is the system's temporary directory, where the cache would remain.
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
  if (code !== 0) throw new UserError(`Jest did not start:\n${lastLines(output, 30)}`);
  return output.split('\n').filter((line) => /\.spec\.(ts|mjs)$/.test(line));
}

/**
 * @param {string[]} files absolute paths of sources and tests
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} the test files that import them, directly or indirectly
 */
export async function findRelatedTests(files, env) {
  return files.length === 0 ? [] : listTests(['--passWithNoTests', '--findRelatedTests', ...files], env);
}

/**
 * Runs the tests and prints their output to the terminal.
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, results: string, signal: AbortSignal, watch: boolean }} options results: file for Jest's JSON
 * @returns {Promise<number>} Jest's exit code
 */
export function runJest(args, { env, results, signal, watch }) {
  const mode = watch ? ['--watch'] : ['--json', `--outputFile=${results}`];
  const nodeArgs = [...NODE_ARGS, ...JEST_ARGS, ...mode, ...args];
  // A process group of its own, so that a signal reaches Jest's workers and the processes of tests. In watch mode Jest
  // reads the terminal, which only the terminal's foreground group may do.
  const child = spawn(process.execPath, nodeArgs, { cwd: ROOT, env, stdio: 'inherit', detached: !watch });
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
