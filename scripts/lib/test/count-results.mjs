/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} JestResults
 */

/**
 * Adds up a run: each test that failed, each suite that could not run, each failed check. A Jest that failed for another
 * reason, or that left no results, is one failure. Checks beside Jest count as tests.
 * @param {{ results: JestResults | undefined, jestCode: number, passedChecks: number, failedChecks: number }} run
 * @returns {{ passed: number, failed: number }}
 */
export function countResults({ results, jestCode, passedChecks, failedChecks }) {
  const inTests = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 0;
  const otherwise = jestCode !== 0 && inTests === 0 ? 1 : 0;
  return { passed: (results?.numPassedTests ?? 0) + passedChecks, failed: inTests + otherwise + failedChecks };
}
