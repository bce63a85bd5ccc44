import { describe, expect, it } from '@jest/globals';
import { affectedTests, chooseTests } from './choose-tests.mjs';
import { listTests } from './run-jest.mjs';

describe('chooseTests', () => {
  it('runs all tests and checks if nothing is named', async () => {
    expect(await chooseTests([], process.env)).toMatchObject({ jestArgs: [], lint: true, watch: false });
  });

  it('runs the tests below the named paths, and no checks', async () => {
    expect(await chooseTests(['libs/graph', '-t', 'a cycle'], process.env)).toMatchObject({
      jestArgs: ['--testNamePattern=a cycle', 'libs/graph'],
      lint: false,
    });
  });

  it('passes nothing to Jest that would keep it from listing the tests to watch', async () => {
    const { jestArgs, watch } = await chooseTests(['--watch', 'libs/graph/src/names'], process.env);
    expect(watch).toBe(true);
    expect(await listTests(jestArgs, process.env)).toEqual([expect.stringMatching(/check-name\.spec\.ts$/)]);
  });

  it('rejects an unknown option and lists the options', async () => {
    await expect(chooseTests(['--quick'], process.env)).rejects.toThrow(/--quick[^]*--changed \[commit\]/);
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
