import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../layout.mjs';
import { chooseBrowserShare, chooseShare, SHARE } from './choose-share.mjs';

const suites = (/** @type {string} */ kind, /** @type {number} */ count) =>
  Array.from({ length: count }, (_, index) => join(ROOT, `apps/runs/src/${kind}-${index}.${kind}.spec.ts`));
const PURE = ['libs/graph/src/a.spec.ts', 'scripts/b.spec.mjs'].map((path) => join(ROOT, path));
const CONTRACT = join(ROOT, 'e2e/interface/interface.e2e.spec.ts');
const choose = (/** @type {string[]} */ tests, /** @type {string} */ seed) => chooseShare(tests, seed, {});

describe('the share of long suites', () => {
  const servers = [...suites('int', 40), ...suites('e2e', 10)];

  it('leaves out no short pure suite, and none that goes through all operations', () => {
    const { tests } = choose([...servers, ...PURE, CONTRACT], '1');
    expect(tests).toEqual(expect.arrayContaining([...PURE, CONTRACT]));
  });

  it('contains one of a few pure suites that take long', () => {
    const long = Array.from({ length: SHARE }, (_, index) => `libs/graph/src/long-${index}.spec.ts`);
    const paths = long.map((name) => join(ROOT, name));
    expect(chooseShare(paths, '1', Object.fromEntries(long.map((name) => [name, 30]))).tests).toHaveLength(1);
    expect(choose(paths, '1').tests).toHaveLength(SHARE);
  });

  it('has the same size for each seed, and tells how many suites are left out', () => {
    for (const seed of ['1', '2', '3'])
      expect(choose(servers, seed)).toMatchObject({
        tests: { length: Math.ceil(50 / SHARE) },
        left: 50 - Math.ceil(50 / SHARE),
      });
  });

  it('is the same for the same seed, in whatever order the suites are listed', () => {
    expect(choose(servers.toReversed(), '7').tests.toReversed()).toEqual(choose(servers, '7').tests);
  });

  it('contains each suite for some seed', () => {
    const seen = new Set(Array.from({ length: 60 }, (_, seed) => choose(servers, String(seed)).tests).flat());
    expect(seen.size).toBe(servers.length);
  });

  it('contains one of each few suites that take about as long', () => {
    const durations = Object.fromEntries(servers.map((path, index) => [relative(ROOT, path), index]));
    const { tests } = chooseShare(servers, '1', durations);
    const groups = tests.map((path) => Math.floor(servers.indexOf(path) / SHARE));
    expect(groups).toEqual([...new Set(groups)]);
  });
});

describe('the share of browser tests', () => {
  const files = ['a', 'b', 'c', 'every-page', 'f', 'g'].map((name) => `apps/dashboard/e2e/${name}.journey.ts`);

  it('contains one of each two files, and the one that visits each page', () => {
    for (const seed of ['1', '2', '3']) {
      const chosen = chooseBrowserShare(files, seed);
      expect(chosen).toHaveLength(4);
      expect(chosen).toContain(files[3]);
    }
  });

  it('contains each file for some seed', () => {
    const seen = new Set(Array.from({ length: 20 }, (_, seed) => chooseBrowserShare(files, String(seed))).flat());
    expect(seen.size).toBe(files.length);
  });
});
