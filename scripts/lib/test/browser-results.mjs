/**
 * The parts of Playwright's JSON report that are used here.
 * @typedef {{ title: string, file: string, specs?: ReportSpec[], suites?: ReportSuite[] }} ReportSuite
 * @typedef {{ title: string, file: string, id: string, tests: { projectName: string, status: string }[] }} ReportSpec
 * @typedef {{ config: { rootDir: string }, suites: ReportSuite[] }} BrowserReport
 *
 * A test in one project.
 * @typedef {object} BrowserTest
 * @property {string} key
 * @property {string} name for the user, such as "[dark] opening.journey.ts › the app opens at /"
 * @property {string} file from the folder of the tests
 * @property {string} project
 * @property {string} status "expected", "unexpected", "flaky" or "skipped"; a test that did not run is "skipped" too
 */

/** If more fail, the cause is not chance. */
const MAX_FAILED_TESTS = 30;

/**
 * @param {BrowserReport | undefined} report
 * @returns {BrowserTest[]}
 */
export function flattenReport(report) {
  return (report?.suites ?? []).flatMap((suite) => flattenSuite(suite, []));
}

/**
 * @param {ReportSuite} suite
 * @param {string[]} titles of the suites around it
 * @returns {BrowserTest[]}
 */
function flattenSuite({ title, specs = [], suites = [] }, titles) {
  const path = [...titles, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status }) => ({
      key: `${projectName} ${spec.id}`,
      name: `[${projectName}] ${[...path, spec.title].join(' › ')}`,
      file: spec.file,
      project: projectName,
      status,
    })),
  );
  return [...own, ...suites.flatMap((inner) => flattenSuite(inner, path))];
}

/** @param {BrowserTest} test */
export const hasPassed = ({ status }) => status === 'expected';

/**
 * Everything that has not passed counts as failed: a test that is skipped, or that did not run, checks nothing.
 * @param {BrowserTest[]} tests
 * @param {number} code Playwright's exit code
 * @returns {{ passed: number, failed: number }}
 */
export function countBrowserTests(tests, code) {
  const passed = tests.filter(hasPassed).length;
  const failed = tests.length - passed;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/**
 * The files and projects that are worth running again, alone. Files, because the tests of a file may build on each other.
 * @param {BrowserTest[]} tests
 * @returns {{ files: string[], projects: string[] }} no files if nothing failed, or if a repetition would only hide a defect
 */
export function chooseRepeatedFiles(tests) {
  const failed = tests.filter((test) => !hasPassed(test));
  if (failed.length > MAX_FAILED_TESTS) return { files: [], projects: [] };
  return {
    files: [...new Set(failed.map(({ file }) => file))],
    projects: [...new Set(failed.map(({ project }) => project))],
  };
}

/**
 * @param {BrowserTest[]} first
 * @param {BrowserTest[]} second results of the tests that were repeated
 * @returns {{ tests: BrowserTest[], unstable: string[] }} the latest result of each test of the first run, and the names of those
 *   that passed only when repeated
 */
export function mergeRepeated(first, second) {
  const repeated = new Map(second.map((test) => [test.key, test]));
  const tests = first.map((test) => repeated.get(test.key) ?? test);
  const unstable = first.filter((test, index) => !hasPassed(test) && tests[index] && hasPassed(tests[index]));
  return { tests, unstable: unstable.map(({ name }) => name) };
}
