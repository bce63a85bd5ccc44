import { hash } from 'node:crypto';
import { relative } from 'node:path';
import { ROOT } from '../layout.mjs';
import { readDurations } from './suite-durations.mjs';

/** One of so many long suites runs. All of them take an hour on two cores, and a run should take 25 minutes. */
export const SHARE = 8;

/** Suites that run each time, because they go through all operations, or choose some of their many cases themselves. */
const ALWAYS = /^e2e\/((interface|api-examples|faults)\/|(access|authorization|bad-input|tenancy)\.)/;

const NEEDS_SERVERS = /\.(int|e2e)\.spec\.\w+$/;
/** From this duration on, a pure suite is long. */
const LONG_SECONDS = 10;

/**
 * Of each few names in a row, those that do not run: all but one, another one for each seed.
 * @param {string[]} names
 * @param {number} size of which one runs
 * @param {string} seed
 * @returns {Set<string>}
 */
function leaveOut(names, size, seed) {
  const ranks = names.map((name) => hash('sha256', `${seed} ${name}`));
  const isLeft = (/** @type {string} */ _name, /** @type {number} */ index) => {
    const start = index - (index % size);
    return ranks.slice(start, start + size).some((other) => other < (ranks[index] ?? ''));
  };
  return new Set(names.filter(isLeft));
}

/**
 * The suites of a run that should not take long: all short pure ones, and a share of the long ones and of those with servers,
 * different ones for each seed.
 * @param {string[]} tests absolute paths of test files
 * @param {string} seed
 * @param {import('./suite-durations.mjs').Durations} [durations] a suite that is missing is short
 * @returns {{ tests: string[], left: number }} left: number of suites that do not run
 */
export function chooseShare(tests, seed, durations = readDurations()) {
  const optional = tests
    .map((path) => relative(ROOT, path))
    .map((name) => ({ name, seconds: durations[name] ?? 0 }))
    .filter(({ name, seconds }) => (NEEDS_SERVERS.test(name) || seconds >= LONG_SECONDS) && !ALWAYS.test(name))
    .toSorted((a, b) => a.seconds - b.seconds || (a.name < b.name ? -1 : 1));
  // One of each few that take about as long, so that each run does, too.
  const names = optional.map(({ name }) => name);
  const left = leaveOut(names, SHARE, seed);
  return { tests: tests.filter((path) => !left.has(relative(ROOT, path))), left: left.size };
}

/** The browser test that visits each page runs each time. */
const EVERY_PAGE = /every-page\.journey\.ts$/;

/**
 * One of each two files of browser tests, different ones for each seed: all of them take twelve minutes on two cores.
 * @param {string[]} files paths from the repository's root
 * @param {string} seed
 * @returns {string[]} the chosen ones, in their order
 */
export function chooseBrowserShare(files, seed) {
  const left = leaveOut(
    files.filter((name) => !EVERY_PAGE.test(name)),
    2,
    seed,
  );
  return files.filter((name) => !left.has(name));
}
