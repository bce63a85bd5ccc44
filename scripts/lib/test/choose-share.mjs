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
 * The suites of a run that should not take long: all short pure ones, and a share of the long ones and of those with servers,
 * different ones for each seed.
 * @param {string[]} tests absolute paths of test files
 * @param {string} seed
 * @param {import('./suite-durations.mjs').Durations} [durations] a suite that is missing is short
 * @returns {{ tests: string[], left: number }} left: number of suites that do not run
 */
export function chooseShare(tests, seed, durations = readDurations()) {
  const optional = tests
    .map((path) => ({ path, name: relative(ROOT, path) }))
    .map((suite) => ({ ...suite, seconds: durations[suite.name] ?? 0, rank: hash('sha256', `${seed} ${suite.name}`) }))
    .filter(({ name, seconds }) => (NEEDS_SERVERS.test(name) || seconds >= LONG_SECONDS) && !ALWAYS.test(name))
    .toSorted((a, b) => a.seconds - b.seconds || (a.name < b.name ? -1 : 1));
  // One of each few that take about as long, so that each run does, too.
  const left = optional.filter(({ rank }, index) => {
    const start = index - (index % SHARE);
    return optional.slice(start, start + SHARE).some((other) => other.rank < rank);
  });
  const leftPaths = new Set(left.map(({ path }) => path));
  return { tests: tests.filter((path) => !leftPaths.has(path)), left: left.length };
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
  const optional = files.filter((name) => !EVERY_PAGE.test(name));
  const rank = (/** @type {string} */ name) => hash('sha256', `${seed} ${name}`);
  const left = optional.filter((name, index) => {
    const other = optional[index ^ 1];
    return other !== undefined && rank(other) < rank(name);
  });
  return files.filter((name) => !left.includes(name));
}
