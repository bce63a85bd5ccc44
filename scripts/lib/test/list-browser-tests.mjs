import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../layout.mjs';

const FOLDER = 'apps/dashboard/e2e';

/** @returns {string[]} paths of the browser tests from the repository's root */
export function listBrowserTests() {
  const entries = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' });
  return entries
    .filter((name) => name.endsWith('.journey.ts'))
    .map((name) => join(FOLDER, name))
    .sort();
}

/**
 * Unlike Jest, which searches for a path anywhere in the name of a test, this chooses by the start of the name: `e2e` means
 * the tests of the REST API only.
 * @param {string[]} tests
 * @param {string[]} paths files, folders, or the first part of a name; none means all tests
 * @returns {string[]} the tests below the paths
 */
export function chooseBrowserTests(tests, paths) {
  if (paths.length === 0) return tests;
  const starts = paths.map((path) => relative(ROOT, join(path.startsWith(ROOT) ? '/' : ROOT, path)));
  return tests.filter((test) => starts.some((start) => test.startsWith(start)));
}
