import { hash } from 'node:crypto';
import { relative } from 'node:path';
import { ROOT } from '../layout.mjs';
import { readDurations } from './suite-durations.mjs';

/** One of so many suites with servers runs. All of them take an hour on two cores, and a run should take 25 minutes. */
export const SHARE = 6;

/** Suites with servers that run each time, because they go through all operations. */
const ALWAYS = /^e2e\/((interface|api-examples)\/|(access|authorization|bad-input|tenancy)\.)/;

const NEEDS_SERVERS = /\.(int|e2e)\.spec\.\w+$/;

/**
 * The suites of a run that should not take long: all pure ones, and a share of those with servers, different ones for each seed.
 * @param {string[]} tests absolute paths of test files
 * @param {string} seed
 * @param {import('./suite-durations.mjs').Durations} [durations] a suite that is missing counts as short
 * @returns {{ tests: string[], left: number }} left: number of suites that do not run
 */
export function chooseShare(tests, seed, durations = readDurations()) {
  const optional = tests
    .map((path) => ({ path, name: relative(ROOT, path) }))
    .filter(({ name }) => NEEDS_SERVERS.test(name) && !ALWAYS.test(name))
    .map(({ path, name }) => ({ path, name, seconds: durations[name] ?? 0, rank: hash('sha256', `${seed} ${name}`) }))
    .toSorted((a, b) => a.seconds - b.seconds || (a.name < b.name ? -1 : 1));
  // One of each few that take about as long, so that each run does, too.
  const left = new Set(
    Array.from({ length: Math.ceil(optional.length / SHARE) }, (_, group) =>
      optional
        .slice(group * SHARE, (group + 1) * SHARE)
        .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
        .slice(1)
        .map(({ path }) => path),
    ).flat(),
  );
  return { tests: tests.filter((path) => !left.has(path)), left: left.size };
}
