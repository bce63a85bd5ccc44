import { cpSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { readJson } from '../write-json.mjs';
import { chooseRepeatedFiles, countBrowserTests, flattenReport, hasPassed, mergeRepeated } from './browser-results.mjs';
import { runPlaywright } from './run-playwright.mjs';

const CONFIG = join(ROOT, 'apps/dashboard/playwright.config.ts');

/** Stays after the run, because the folder of the run does not. */
const KEPT = join(tmpdir(), 'millrace-browser-failures');

/**
 * @typedef {object} BrowserTestOptions
 * @property {string[]} files paths of the tests from the repository's root
 * @property {string | undefined} title only tests whose title matches
 * @property {boolean} mayBeEmpty whether a run without any matching test succeeds
 * @property {boolean} repeat run the failed tests again, alone
 * @property {NodeJS.ProcessEnv} env with the address of the system
 * @property {string} folder for the results, screenshots and traces
 * @property {AbortSignal} signal
 * @property {import('../report.mjs').Report} report
 */

/**
 * Runs the browser tests and prints their output to the terminal.
 * @param {BrowserTestOptions} options
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runBrowserTests({ files, title, mayBeEmpty, repeat, env, folder, signal, report }) {
  const titles = title === undefined ? [] : [`--grep=${title}`];
  const run = async (/** @type {string} */ name, /** @type {string[]} */ args) => {
    const results = join(folder, `${name}.json`);
    const browserEnv = {
      ...{ ...env, TEST_BROWSER_DIR: join(folder, name), PLAYWRIGHT_JSON_OUTPUT_FILE: results },
    };
    const code = await runPlaywright(CONFIG, ['--reporter=list,json', ...titles, ...args], { env: browserEnv, signal });
    return { code, tests: flattenReport(readJson(results)) };
  };
  report(`\nTests in the browser:`);
  const empty = mayBeEmpty ? ['--pass-with-no-tests'] : [];
  let { code, tests } = await run('tests', [...empty, ...files.map(exactly)]);
  const { files: failed, projects } = chooseRepeatedFiles(tests);
  if (repeat && failed.length > 0 && !signal.aborted) {
    report(`\nRunning the failed browser tests again, one at a time:\n  ${failed.join('\n  ')}`);
    const chosen = projects.map((project) => `--project=${project}`);
    const second = await run('repeated', ['--workers=1', ...chosen, ...failed.map(exactly)]);
    const merged = mergeRepeated(tests, second.tests);
    if (merged.unstable.length > 0)
      report(`\nUNSTABLE, passed only when repeated alone:\n  ${merged.unstable.join('\n  ')}`);
    [code, tests] = [second.code, merged.tests];
  }
  if (!signal.aborted) reportFailures(tests, folder, report);
  return countBrowserTests(tests, code);
}

/**
 * @param {string} file
 * @returns {string} the expression that Playwright matches with absolute paths
 */
function exactly(file) {
  return `/${RegExp.escape(file)}$`;
}

/**
 * @param {import('./browser-results.mjs').BrowserTest[]} tests
 * @param {string} folder
 * @param {import('../report.mjs').Report} report
 */
function reportFailures(tests, folder, report) {
  const skipped = tests.filter(({ status }) => status === 'skipped').map(({ name }) => name);
  if (skipped.length > 0) report(`\nSKIPPED, which counts as failed:\n  ${skipped.join('\n  ')}`);
  rmSync(KEPT, { recursive: true, force: true });
  if (tests.every(hasPassed) || !existsSync(folder)) return;
  cpSync(folder, KEPT, { recursive: true });
  report(`\nScreenshots and traces of the failed browser tests are in ${KEPT}`);
}
