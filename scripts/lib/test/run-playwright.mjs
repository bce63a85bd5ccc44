import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { findChromium } from '../machine/find-chromium.mjs';
import { ProcessGroup } from '../process/process-group.mjs';

const CLI = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
const STOP_TIMEOUT_MS = 5_000;

/**
 * Runs Playwright's tests with the Chromium of this machine, and prints their output to the terminal.
 * @param {string} config
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<number>} Playwright's exit code
 */
export function runPlaywright(config, args, { env, signal }) {
  const chromium = findChromium(env);
  const ownEnv = {
    ...{ ...env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1', ...(chromium && { CHROMIUM_PATH: chromium }) },
    // Playwright's default is the system's temporary directory, where the cache would remain.
    PWTEST_CACHE_DIR: join(ROOT, 'node_modules', '.cache', 'playwright'),
  };
  return new Promise((resolve) => {
    const nodeArgs = [CLI, 'test', `--config=${config}`, ...args];
    const group = new ProcessGroup(
      process.execPath,
      nodeArgs,
      { cwd: ROOT, env: ownEnv, stdio: 'inherit' },
      (_, code) => {
        signal.removeEventListener('abort', end);
        resolve(code ?? 1);
      },
    );
    // Each browser has a process group of its own, which Playwright ends.
    const end = () => void group.stop('SIGINT', STOP_TIMEOUT_MS);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
