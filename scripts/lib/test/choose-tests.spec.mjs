import { describe, expect, it } from '@jest/globals';
import { affectedTests, affectsBrowserTests, chooseTests, jestArgsFor, needsNetworks } from './choose-tests.mjs';
import { listBrowserTests } from './list-browser-tests.mjs';
import { listTests } from './run-jest.mjs';

describe('chooseTests', () => {
  it('runs the checks and a share of the tests if nothing is named', async () => {
    expect(await chooseTests([], process.env)).toMatchObject({ jestArgs: [], lint: true, share: true, watch: false });
  });

  it('runs the checks and all tests with --all', async () => {
    expect(await chooseTests(['--all'], process.env)).toMatchObject({ jestArgs: [], lint: true, share: false });
  });

  it('rejects --all beside something that chooses tests', async () => {
    await expect(chooseTests(['--all', 'libs/graph'], process.env)).rejects.toThrow('--all stands alone');
  });

  it.each([['--fast'], ['--watch'], ['libs/graph'], ['-t', 'a cycle']])(
    'leaves out no test with %s',
    async (...args) => {
      expect(await chooseTests(args, process.env)).toMatchObject({ share: false });
    },
  );

  it('runs the tests below the named paths, and no checks', async () => {
    expect(await chooseTests(['libs/graph', '-t', 'a cycle'], process.env)).toMatchObject({
      jestArgs: ['--testNamePattern=a cycle', 'libs/graph'],
      lint: false,
    });
  });

  it('runs all browser tests if nothing is named, and those below the named paths otherwise', async () => {
    const all = listBrowserTests();
    expect(await chooseTests([], process.env)).toMatchObject({ browserTests: all, repeat: true });
    expect(await chooseTests(['apps/dashboard'], process.env)).toMatchObject({ browserTests: all, repeat: false });
    expect(await chooseTests(['libs/graph'], process.env)).toMatchObject({ browserTests: [] });
    expect(await chooseTests(['apps/dashboard/e2e/open', '-t', 'deep'], process.env)).toMatchObject({
      browserTests: ['apps/dashboard/e2e/opening.journey.ts'],
      title: 'deep',
    });
  });

  it.each(['--fast', '--watch'])('runs no browser test with %s', async (option) => {
    expect(await chooseTests([option], process.env)).toMatchObject({ browserTests: [] });
    expect(await chooseTests([option, 'apps/dashboard'], process.env)).toMatchObject({ browserTests: [] });
  });

  it('passes nothing to Jest that would keep it from listing the tests to watch', async () => {
    const { jestArgs = [], watch } = await chooseTests(['--watch', 'libs/graph/src/names'], process.env);
    expect(watch).toBe(true);
    expect(await listTests(jestArgs, process.env)).toEqual([expect.stringMatching(/check-name\.spec\.ts$/)]);
  });

  it('rejects an unknown option and lists the options', async () => {
    await expect(chooseTests(['--quick'], process.env)).rejects.toThrow(/--quick[^]*--changed \[commit\]/);
  });
});

describe('jestArgsFor', () => {
  it('names the tests, and is empty without any, because Jest would then run all', () => {
    expect(jestArgsFor(['/a.spec.ts'], ['--testNamePattern=x'])).toEqual({
      jestArgs: ['--testNamePattern=x', '--passWithNoTests', '--runTestsByPath', '/a.spec.ts'],
    });
    expect(jestArgsFor([], [])).toEqual({});
  });
});

describe('affectsBrowserTests', () => {
  it.each([
    'apps/dashboard/src/main.tsx',
    'apps/dashboard/e2e/opening.journey.ts',
    'apps/gateway/src/main.ts',
    'libs/client/src/core.ts',
    'scripts/lib/test/run-playwright.mjs',
    'e2e/support/sign-up.ts',
    'package-lock.json',
  ])('is true for a change of %s', (path) => {
    expect(affectsBrowserTests(['docs/README.md', path])).toBe(true);
  });

  it.each([
    'docs/guides/runs.md',
    'apps/dashboard/README.md',
    'apps/dashboard/src/layout.spec.ts',
    'e2e/inputs.e2e.spec.ts',
    'bench/run.mjs',
  ])('is false for a change of %s', (path) => {
    expect(affectsBrowserTests([path])).toBe(false);
  });
});

describe('affectedTests', () => {
  const affected = async (/** @type {string[]} */ ...changed) => affectedTests(changed, process.env);

  it('finds the tests of other packages that import a changed file', async () => {
    const tests = await affected('libs/graph/src/plan/plan.ts');
    expect(tests).toContainEqual(expect.stringMatching(/libs\/graph\/.*compile-plan\.spec\.ts$/));
    expect(tests).toContainEqual(expect.stringMatching(/apps\/runs\/.*\.int\.spec\.ts$/));
    expect(tests).toContainEqual(expect.stringMatching(/\.e2e\.spec\.ts$/));
    expect(tests).not.toContainEqual(expect.stringContaining('/libs/query/'));
  });

  it('finds no test of the REST API for a change of the dashboard', async () => {
    const tests = await affected('apps/dashboard/src/main.tsx', 'apps/dashboard/src/app.css');
    expect(tests).not.toContainEqual(expect.stringMatching(/\.(e2e|int)\.spec\.ts$/));
  });

  it('finds the tests that read a changed page, and nothing else', async () => {
    const tests = await affected('docs/reference/validation.md');
    expect(tests).toContainEqual(expect.stringContaining('/libs/graph/'));
    expect(tests).not.toContainEqual(expect.stringContaining('/apps/runs/'));
  });

  it('finds the tests of the packages that use a file which is not imported', async () => {
    const tests = await affected('libs/library/modules/csv/csv-filter.yaml', 'libs/isolation/runner.pl');
    for (const folder of ['libs/library', 'libs/isolation', 'apps/workflows', 'apps/worker']) {
      expect(tests).toContainEqual(expect.stringContaining(`/${folder}/`));
    }
    expect(tests).not.toContainEqual(expect.stringContaining('/libs/query/'));
  });

  it('finds all tests if the dependencies change', async () => {
    const [all, one] = [await affected('package-lock.json'), await affected('libs/graph/src/plan/plan.ts')];
    expect(all.length).toBeGreaterThan(one.length);
  });
});

describe('needsNetworks', () => {
  it('is true only if a suite that makes networks is chosen', async () => {
    expect(needsNetworks(await listTests(['e2e/worker-join'], process.env))).toBe(true);
    expect(needsNetworks(await listTests(['libs/graph', 'scripts/lib/test'], process.env))).toBe(false);
    expect(needsNetworks([])).toBe(false);
  });
});
