import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { readJson, writeJson } from '../write-json.mjs';
import { renderReliability } from './render-reliability.mjs';

/** The last result of each case, by its name; null if it never ran. */
export const RESULTS_FILE = join(ROOT, 'e2e/faults/results.json');
export const PAGE_FILE = join(ROOT, 'docs/architecture/reliability.md');

/** @typedef {Record<string, { passed: boolean, seconds: number } | null>} Results */

/**
 * @param {string} file a line for each case
 * @returns {import('./case-reporter.mjs').CaseResult[]}
 */
export const readResults = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** @returns {string[]} names of the cases whose last run did not pass, or that never ran */
export const listOpenCases = () =>
  Object.entries(readJson(RESULTS_FILE) ?? {})
    .filter(([, result]) => !result?.passed)
    .map(([name]) => name);

/**
 * Adds results to the stored ones, and writes the page.
 * @param {readonly import('./case-reporter.mjs').CaseResult[]} results
 */
export function saveResults(results) {
  /** @type {Results} */
  const stored = readJson(RESULTS_FILE) ?? {};
  for (const { name, passed, seconds } of results) {
    if (passed === null) stored[name] ??= null;
    else stored[name] = { passed, seconds };
  }
  const sorted = Object.fromEntries(Object.entries(stored).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeJson(RESULTS_FILE, sorted, 0o644);
  writeFileSync(PAGE_FILE, renderReliability(sorted));
}
