/**
 * The parts of Jest's JSON results that are used here.
 * @typedef {{ name: string, status: string, startTime: number, endTime: number, assertionResults: { status: string }[] }} SuiteResult
 * @typedef {import('./count-results.mjs').JestResults & { testResults: SuiteResult[] }} SuiteResults
 */

/** A person who chose a few suites sees their failures at once and repeats them as needed. */
const MIN_SUITES = 100;
/** If more fail, the cause is not chance. */
const MAX_FAILED_SUITES = 30;

/**
 * The suites that are worth running again, alone. In a run of the whole suite up to four suites compete for two cores, and
 * a test may then exceed a time limit. A defect fails again.
 * @param {SuiteResults | undefined} results
 * @returns {string[]} absolute paths; empty if nothing failed, or if a repetition would only hide a defect
 */
export function chooseRepeatedSuites(results) {
  if (!results || results.testResults.length < MIN_SUITES) return [];
  const failed = results.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return failed.length > MAX_FAILED_SUITES ? [] : failed;
}

/**
 * Replaces the results of repeated suites.
 * @param {SuiteResults} first
 * @param {SuiteResults} second results of all suites that failed in the first run
 * @returns {import('./count-results.mjs').JestResults}
 */
export function replaceRepeated(first, second) {
  const repeated = new Set(second.testResults.map(({ name }) => name));
  const kept = first.testResults.filter(({ name }) => !repeated.has(name));
  return {
    numPassedTests: countTests(kept, 'passed') + second.numPassedTests,
    numFailedTests: countTests(kept, 'failed') + second.numFailedTests,
    numRuntimeErrorTestSuites: kept.filter(hasNotRun).length + second.numRuntimeErrorTestSuites,
  };
}

/**
 * @param {SuiteResult[]} suites
 * @param {string} status
 */
function countTests(suites, status) {
  return suites.flatMap((suite) => suite.assertionResults).filter((test) => test.status === status).length;
}

/** @param {SuiteResult} suite */
function hasNotRun({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}
