import { join } from 'node:path';
import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { ROOT } from './lib/layout.mjs';
import { ensureTools } from './lib/machine/ensure-tools.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { phase, runMain } from './lib/report.mjs';
import { abortOnSignal } from './lib/system/abort-on-signal.mjs';
import { cleanEnv } from './lib/test/clean-env.mjs';
import { makeTestFolder } from './lib/test/make-test-folder.mjs';
import { runPlaywright } from './lib/test/run-playwright.mjs';
import { startTestSystem } from './lib/test/start-test-servers.mjs';
import { removeTestFolder, sweepLeftovers } from './lib/test/sweep-leftovers.mjs';

const USAGE = `npm run screenshots -- [names]   writes pictures of the dashboard to apps/dashboard/screenshots/<theme>/

  --help   show this

Names choose files of apps/dashboard/e2e/screenshots, such as: npm run screenshots -- sign-in
It starts a system with data of its own. Set MILLRACE_URL to use a running one, in which it creates accounts.`;

const CONFIG = join(ROOT, 'apps/dashboard/screenshots.config.ts');

const report = (/** @type {string} */ line) => console.log(line);

await runMain(async () => {
  const options = /** @type {const} */ ({ help: { type: 'boolean' } });
  const { values, positionals } = parseArguments(
    { args: process.argv.slice(2), options, allowPositionals: true },
    USAGE,
  );
  if (values.help) return console.log(USAGE);
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  const signal = abortOnSignal();
  const running = process.env.MILLRACE_URL;
  await ensureTools({ env: process.env, yes: false, report, browser: true });
  await sweepLeftovers();
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  const { folder, system: dir, scratch, browser } = makeTestFolder();
  const env = { ...cleanEnv(process.env), TMPDIR: scratch, TEST_BROWSER_DIR: browser };
  try {
    const system = running ? undefined : await startTestSystem({ dir, env, report, signal });
    try {
      const testEnv = { ...env, ...(running ? { TEST_BASE_URL: running.replace(/\/$/, '') } : system?.env) };
      return await runPlaywright(CONFIG, ['--reporter=list', ...positionals], { env: testEnv, signal });
    } finally {
      await system?.stop();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  } finally {
    await removeTestFolder(folder);
  }
});
