import { describe, expect, it } from '@jest/globals';
import { countResults } from './count-results.mjs';

const results = (/** @type {number} */ numPassedTests, numFailedTests = 0, numRuntimeErrorTestSuites = 0) => ({
  numPassedTests,
  numFailedTests,
  numRuntimeErrorTestSuites,
});

describe('countResults', () => {
  it.each([
    [
      'a run without failures',
      { results: results(7), jestCode: 0, passedChecks: 0, failedChecks: 0 },
      { passed: 7, failed: 0 },
    ],
    [
      'a passed check',
      { results: results(7), jestCode: 0, passedChecks: 1, failedChecks: 0 },
      { passed: 8, failed: 0 },
    ],
    [
      'a failed test',
      { results: results(7, 2), jestCode: 1, passedChecks: 0, failedChecks: 0 },
      { passed: 7, failed: 2 },
    ],
    [
      'a suite that could not run',
      { results: results(7, 0, 1), jestCode: 1, passedChecks: 0, failedChecks: 0 },
      { passed: 7, failed: 1 },
    ],
    ['a failed lint', { results: results(7), jestCode: 0, passedChecks: 0, failedChecks: 1 }, { passed: 7, failed: 1 }],
    [
      'a run without results',
      { results: undefined, jestCode: 1, passedChecks: 0, failedChecks: 0 },
      { passed: 0, failed: 1 },
    ],
    [
      'a failure of Jest although all tests passed',
      { results: results(7), jestCode: 1, passedChecks: 0, failedChecks: 0 },
      { passed: 7, failed: 1 },
    ],
  ])('counts %s', (_, run, counts) => {
    expect(countResults(run)).toEqual(counts);
  });
});
