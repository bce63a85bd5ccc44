import { describe, expect, it } from '@jest/globals';
import { chooseRepeatedSuites, replaceRepeated } from './repeat-failed.mjs';

const suite = (/** @type {string} */ name, /** @type {string[]} */ ...tests) => ({
  name,
  status: tests.length > 0 && tests.every((status) => status === 'passed') ? 'passed' : 'failed',
  assertionResults: tests.map((status) => ({ status })),
});

const results = (/** @type {ReturnType<typeof suite>[]} */ ...testResults) => {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    numPassedTests: tests.filter(({ status }) => status === 'passed').length,
    numFailedTests: tests.filter(({ status }) => status === 'failed').length,
    numRuntimeErrorTestSuites: testResults.filter(({ assertionResults }) => assertionResults.length === 0).length,
    testResults,
  };
};

const passed = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => suite(`/p${i}`, 'passed'));

describe('chooseRepeatedSuites', () => {
  it('chooses the failed suites of a large run, also those that could not run', () => {
    const run = results(...passed(100), suite('/a', 'passed', 'failed'), suite('/b'));
    expect(chooseRepeatedSuites(run)).toEqual(['/a', '/b']);
  });

  it('chooses none if few suites were run, many failed or none failed', () => {
    expect(chooseRepeatedSuites(results(...passed(10), suite('/a', 'failed')))).toEqual([]);
    const many = Array.from({ length: 31 }, (_, i) => suite(`/f${i}`, 'failed'));
    expect(chooseRepeatedSuites(results(...passed(100), ...many))).toEqual([]);
    expect(chooseRepeatedSuites(results(...passed(100)))).toEqual([]);
    expect(chooseRepeatedSuites(undefined)).toEqual([]);
  });
});

describe('replaceRepeated', () => {
  const first = results(suite('/p', 'passed'), suite('/a', 'passed', 'failed'), suite('/b'));

  it('counts the results of the repetition instead of the first ones', () => {
    const second = results(suite('/a', 'passed', 'passed'), suite('/b', 'passed'));
    expect(replaceRepeated(first, second)).toEqual({
      numPassedTests: 4,
      numFailedTests: 0,
      numRuntimeErrorTestSuites: 0,
    });
  });

  it('keeps failures that repeat, and those of suites that were not repeated', () => {
    expect(replaceRepeated(first, results(suite('/a', 'passed', 'failed')))).toEqual({
      numPassedTests: 2,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
    });
  });
});
