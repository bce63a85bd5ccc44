import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { buildWorkspaces } from './lib/build/build-workspaces.mjs';
import { ensureInstalled } from './lib/install/ensure-installed.mjs';
import { enterRuntime } from './lib/install/enter-runtime.mjs';
import { dataLayout, ROOT } from './lib/layout.mjs';
import { ensureTools } from './lib/machine/ensure-tools.mjs';
import { phase, runMain } from './lib/report.mjs';
import { runCommand } from './lib/run-command.mjs';
import { SERVICES } from './lib/services.mjs';
import { abortOnSignal } from './lib/system/abort-on-signal.mjs';
import { checkLogs } from './lib/test/check-logs.mjs';
import { chooseBrowserShare, chooseShare, SHARE } from './lib/test/choose-share.mjs';
import { chooseTests, jestArgsFor, needsNetworks, USAGE } from './lib/test/choose-tests.mjs';
import { cleanEnv } from './lib/test/clean-env.mjs';
import { countResults } from './lib/test/count-results.mjs';
import { makeTestFolder } from './lib/test/make-test-folder.mjs';
import { chooseRepeatedSuites, replaceRepeated } from './lib/test/repeat-failed.mjs';
import { runBrowserTests } from './lib/test/run-browser-tests.mjs';
import { listTests, runJest } from './lib/test/run-jest.mjs';
import { startTestServers, startTestSystem } from './lib/test/start-test-servers.mjs';
import { saveDurations } from './lib/test/suite-durations.mjs';
import { removeTestFolder, sweepLeftovers } from './lib/test/sweep-leftovers.mjs';
import { readJson } from './lib/write-json.mjs';

const report = (/** @type {string} */ line) => console.log(line);

/**
 * Format, types and lint.
 * @param {AbortSignal} signal
 * @returns {Promise<number>} number of failed checks
 */
async function runChecks(signal) {
  const { code, output } = await phase(report, 'lint', () =>
    runCommand('npm', ['run', '--silent', 'lint'], { cwd: ROOT, signal }),
  );
  if (code !== 0) report(`${output.trimEnd()}\n\nnpm run lint failed.`);
  return code === 0 ? 0 : 1;
}

/**
 * @typedef {{ jestCode: number, results: import('./lib/test/count-results.mjs').JestResults | undefined }} TestRun
 */

/**
 * Lists the test files of Jest of a choice, or a share of them.
 * @param {import('./lib/test/choose-tests.mjs').Choice} choice
 * @param {string} seed chooses the share
 */
async function listChosen(choice, seed) {
  const listed = choice.jestArgs ? await listTests(choice.jestArgs, cleanEnv(process.env)) : [];
  if (!choice.share) return { ...choice, tests: listed };
  const { tests, left } = chooseShare(listed, seed);
  report(`  one of ${SHARE} long suites is chosen; ${left} others do not run: npm run test:all runs them`);
  const browserTests = chooseBrowserShare(choice.browserTests, seed);
  report(`  of browser tests, ${browserTests.length} of ${choice.browserTests.length} files are chosen`);
  report(`  the same choice again, with the same sources: TEST_SEED=${seed} npm test`);
  return { ...choice, ...jestArgsFor(tests, []), tests, browserTests };
}

/**
 * Starts the servers and the system that the chosen tests need, and runs the tests.
 * @param {Awaited<ReturnType<typeof listChosen>>} choice
 * @param {{ seed: string, folders: ReturnType<typeof makeTestFolder>, signal: AbortSignal }} options
 * @returns {Promise<TestRun & { browser: { passed: number, failed: number }, hasSystem: boolean }>} hasSystem: a whole system ran and wrote logs
 */
async function runTests(choice, { seed, folders, signal }) {
  const { jestArgs, tests, browserTests, watch } = choice;
  const env = {
    ...cleanEnv(process.env),
    TMPDIR: folders.scratch,
    TEST_SECRETS_FILE: folders.secrets,
    TEST_LOGS_DIR: folders.logs,
    TEST_SEED: seed,
  };
  const hasSystem = browserTests.length > 0 || tests.some((test) => test.includes('.e2e.spec.'));
  const hasServers = tests.some((test) => test.includes('.int.spec.'));
  /** @type {import('./lib/test/start-test-servers.mjs').TestSystem[]} */
  const started = [];
  try {
    if (hasServers) started.push(await startTestServers({ dir: folders.servers, env, report, signal }));
    const systemEnv = { ...env, LOG_LEVEL: 'trace' };
    if (hasSystem) started.push(await startTestSystem({ dir: folders.system, env: systemEnv, report, signal }));
    const testEnv = Object.assign({}, env, ...started.map((system) => system.env));
    // If only browser tests are below the named paths, Jest would fail because it finds none.
    const usesJest = jestArgs !== undefined && (tests.length > 0 || browserTests.length === 0);
    const run = usesJest
      ? await runAndRepeat(jestArgs, { env: testEnv, results: folders.results, signal, watch, all: choice.all })
      : { jestCode: 0, results: undefined };
    const browser = await runChosenBrowserTests(choice, { env: testEnv, folder: folders.browser, signal }, usesJest);
    return { ...run, browser, hasSystem };
  } finally {
    await Promise.all(started.map((system) => system.stop()));
  }
}

/**
 * @param {import('./lib/test/choose-tests.mjs').Choice} choice
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} what chooses the suites, and the cases of long ones; empty if all run
 */
function chooseSeed({ share, lint: isWholeRun }, { TEST_SEED: former }) {
  if (share) return former || String(randomInt(2 ** 31));
  // With paths, it repeats the cases of a run.
  return isWholeRun ? '' : (former ?? '');
}

/**
 * @param {import('./lib/test/choose-tests.mjs').Choice} choice
 * @param {{ env: NodeJS.ProcessEnv, folder: string, signal: AbortSignal }} options
 * @param {boolean} mayBeEmpty the title may match no browser test, because other tests have run
 */
async function runChosenBrowserTests({ browserTests, title, repeat }, options, mayBeEmpty) {
  if (browserTests.length === 0 || options.signal.aborted) return { passed: 0, failed: 0 };
  return runBrowserTests({ ...options, files: browserTests, title, mayBeEmpty, repeat, report });
}

/**
 * Runs the tests. If a few suites of many fail, it runs these again, one at a time, and names those that pass then.
 * @param {string[]} args
 * @param {Parameters<typeof runJest>[1] & { all: boolean }} options all: no suite is left out
 * @returns {Promise<TestRun>}
 */
async function runAndRepeat(args, options) {
  const jestCode = await runJest(args, options);
  /** @type {import('./lib/test/repeat-failed.mjs').SuiteResults | undefined} */
  const first = readJson(options.results);
  if (first && options.all) saveDurations(first);
  const repeated = options.signal.aborted ? [] : chooseRepeatedSuites(first);
  if (!first || repeated.length === 0) return { jestCode, results: first };
  report(`\nRunning the failed suites again, one at a time:\n  ${repeated.join('\n  ')}`);
  rmSync(options.results);
  // In one process, Jest would wait for every timer that a failed suite has left.
  const again = ['--runInBand', '--forceExit', '--runTestsByPath', ...repeated];
  const secondCode = await runJest(again, options);
  /** @type {import('./lib/test/repeat-failed.mjs').SuiteResults | undefined} */
  const second = readJson(options.results);
  if (!second) return { jestCode: secondCode || 1, results: first };
  const unstable = second.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name);
  if (unstable.length > 0) report(`\nUNSTABLE, passed only when repeated alone:\n  ${unstable.join('\n  ')}`);
  return { jestCode: secondCode, results: replaceRepeated(first, second) };
}

/**
 * Checks the logs of all systems: they must contain no secret of a test, and nothing that looks like a secret.
 * @param {ReturnType<typeof makeTestFolder>} folders
 * @returns {Promise<number>} number of failed checks
 */
async function runLogCheck(folders) {
  const [system, servers] = [dataLayout(folders.system), dataLayout(folders.servers)];
  const problems = await phase(report, 'logs contain no secrets', async () =>
    checkLogs({
      folders: [system.logs, servers.logs, folders.logs],
      expected: SERVICES.map((name) => system.log(name)),
      known: folders.secrets,
      secrets: [system.secrets, servers.secrets],
    }),
  );
  if (problems.length > 0) report(`\nFAILED: logs contain no secrets\n${problems.join('\n')}`);
  return problems.length > 0 ? 1 : 0;
}

await runMain(async () => {
  const { node } = await ensureInstalled(ROOT, report);
  if (await enterRuntime(ROOT, node)) return Number(process.exitCode);
  const parsed = await chooseTests(process.argv.slice(2), cleanEnv(process.env));
  if (parsed.help) return console.log(USAGE);
  const signal = abortOnSignal();
  const seed = chooseSeed(parsed, process.env);
  const choice = await listChosen(parsed, seed);
  await ensureTools({
    env: cleanEnv(process.env),
    yes: false,
    report,
    browser: choice.browserTests.length > 0,
    network: needsNetworks(choice.tests),
  });
  await sweepLeftovers();
  await phase(report, 'build', () => buildWorkspaces(ROOT));
  if (!choice.lint) report('  lint skipped: only the named tests run');
  const failedChecks = choice.lint ? await runChecks(signal) : 0;
  const folders = makeTestFolder();
  try {
    const { hasSystem, browser, ...run } = await runTests(choice, { seed, folders, signal });
    if (signal.aborted) return 130;
    const failedLogs = hasSystem ? await runLogCheck(folders) : 0;
    const passedChecks = (hasSystem ? 1 - failedLogs : 0) + browser.passed;
    const { passed, failed } = countResults({
      ...{ ...run, passedChecks },
      failedChecks: failedChecks + failedLogs + browser.failed,
    });
    await removeTestFolder(folders.folder);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  } finally {
    await removeTestFolder(folders.folder);
  }
});
