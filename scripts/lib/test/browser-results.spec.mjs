import { describe, expect, it } from '@jest/globals';
import { chooseRepeatedFiles, countBrowserTests, flattenReport, mergeRepeated } from './browser-results.mjs';

/** @param {string} project @param {string} file @param {string} status @param {string} [title] */
const test = (project, file, status, title = 'opens') => ({
  ...{ key: `${project} ${file} ${title}`, name: `[${project}] ${file} › ${title}` },
  ...{ file, project, status },
});

describe('flattenReport', () => {
  it('lists each test of each project with the titles of its suites', () => {
    const spec = { title: 'opens', file: 'a.journey.ts', id: 'a1' };
    const tests = [
      { projectName: 'light', status: 'expected' },
      { projectName: 'dark', status: 'unexpected' },
    ];
    const inner = { title: 'a user', file: 'a.journey.ts', specs: [{ ...spec, tests }] };
    const report = {
      config: { rootDir: '/e2e' },
      suites: [{ title: 'a.journey.ts', file: 'a.journey.ts', suites: [inner] }],
    };
    const name = 'a.journey.ts › a user › opens';
    expect(flattenReport(report)).toEqual([
      { key: 'light a1', name: `[light] ${name}`, file: 'a.journey.ts', project: 'light', status: 'expected' },
      { key: 'dark a1', name: `[dark] ${name}`, file: 'a.journey.ts', project: 'dark', status: 'unexpected' },
    ]);
  });

  it('lists nothing without a report', () => {
    expect(flattenReport(undefined)).toEqual([]);
  });
});

describe('countBrowserTests', () => {
  it.each(['unexpected', 'skipped', 'flaky'])('counts a test that is %s as failed', (status) => {
    expect(countBrowserTests([test('light', 'a', 'expected'), test('dark', 'a', status)], 0)).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  it('counts a failure of Playwright although all tests passed, or without results', () => {
    expect(countBrowserTests([test('light', 'a', 'expected')], 1)).toEqual({ passed: 1, failed: 1 });
    expect(countBrowserTests([], 1)).toEqual({ passed: 0, failed: 1 });
    expect(countBrowserTests([], 0)).toEqual({ passed: 0, failed: 0 });
  });
});

describe('chooseRepeatedFiles', () => {
  it('chooses each file and project with a test that has not passed', () => {
    const tests = [
      test('light', 'a', 'expected'),
      test('dark', 'a', 'unexpected'),
      test('dark', 'a', 'skipped', 'closes'),
      test('light', 'b', 'expected'),
    ];
    expect(chooseRepeatedFiles(tests)).toEqual({ files: ['a'], projects: ['dark'] });
  });

  it('chooses none if nothing failed or many tests failed', () => {
    expect(chooseRepeatedFiles([test('light', 'a', 'expected')]).files).toEqual([]);
    const many = Array.from({ length: 31 }, (_, i) => test('light', `f${i}`, 'unexpected'));
    expect(chooseRepeatedFiles(many).files).toEqual([]);
  });
});

describe('mergeRepeated', () => {
  const first = [
    test('light', 'a', 'expected'),
    test('dark', 'a', 'unexpected'),
    test('dark', 'b', 'unexpected'),
    test('dark', 'c', 'skipped'),
  ];

  it('replaces the results of repeated tests, and names those that passed only then', () => {
    const second = [test('dark', 'a', 'expected'), test('dark', 'b', 'unexpected')];
    const { tests, unstable } = mergeRepeated(first, second);
    expect(tests.map(({ status }) => status)).toEqual(['expected', 'expected', 'unexpected', 'skipped']);
    expect(unstable).toEqual(['[dark] a › opens']);
  });

  it('keeps the failures if the repetition has no results', () => {
    expect(mergeRepeated(first, [])).toEqual({ tests: first, unstable: [] });
  });
});
