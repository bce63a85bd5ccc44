/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} JestResults
 */

/**
 * Counts failures: failed tests, suites that could not run, and failed checks. One more counts if Jest failed for another
 * reason or wrote no results. Checks outside Jest count as tests.
 * @param {{ results: JestResults | undefined, jestCode: number, passedChecks: number, failedChecks: number }} run
 * @returns {{ passed: number, failed: number }}
 */
export function countResults({ results, jestCode, passedChecks, failedChecks }) {
  const failedTests = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
  const otherFailures = jestCode !== 0 && failedTests === 0 ? 1 : 0;
  return { passed: (results?.numPassedTests ?? 0) + passedChecks, failed: failedTests + otherFailures + failedChecks };
}
