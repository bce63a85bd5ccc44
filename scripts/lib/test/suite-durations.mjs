import { join, relative } from 'node:path';
import { ROOT } from '../layout.mjs';
import { readJson, writeJson } from '../write-json.mjs';

const FILE = join(ROOT, 'scripts/lib/test/suite-durations.json');

/** Shorter suites are left out of the file. */
const MIN_SECONDS = 5;

/** @typedef {Record<string, number>} Durations seconds of suites by their paths from the repository's root */

/** @returns {Durations} of the last run of all tests whose figures were committed */
export const readDurations = () => /** @type {Durations} */ (readJson(FILE) ?? {});

/**
 * Stores how long the suites of a run of all tests took, as a balance for `chooseShare`. Only their proportions matter.
 * @param {{ testResults: { name: string, startTime: number, endTime: number }[] }} results of Jest
 */
export function saveDurations({ testResults }) {
  const taken = testResults.map(({ name, startTime, endTime }) => ({
    ...{ name: relative(ROOT, name), seconds: Math.round((endTime - startTime) / 1000) },
  }));
  const long = taken.filter(({ seconds }) => seconds >= MIN_SECONDS).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeJson(FILE, Object.fromEntries(long.map(({ name, seconds }) => [name, seconds])), 0o644);
}
