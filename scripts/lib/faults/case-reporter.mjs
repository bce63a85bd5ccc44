import { appendFileSync } from 'node:fs';

/**
 * The result of one case of the fault matrix.
 * @typedef {object} CaseResult
 * @property {string} name
 * @property {boolean | null} passed null if the case was not chosen
 * @property {number} seconds
 */

/**
 * Prints each case of the fault matrix as it ends, because all of them take an hour, and appends its result to the file
 * `TEST_FAULT_RESULTS`, so that a run that is ended early keeps its results.
 */
export default class CaseReporter {
  #file = process.env.TEST_FAULT_RESULTS ?? '';

  /**
   * @param {unknown} _test
   * @param {{ title: string, status: string, duration?: number | null }} result
   */
  onTestCaseResult(_test, { title, status, duration }) {
    if (status !== 'passed' && status !== 'failed') return;
    const result = { name: title, passed: status === 'passed', seconds: Math.round((duration ?? 0) / 1000) };
    console.log(`  ${result.passed ? 'passed' : 'FAILED'}  ${title}  ${result.seconds} s`);
    this.#append(result);
  }

  /**
   * @param {unknown} _test
   * @param {{ testResults: { title: string, status: string }[] }} result
   */
  onTestFileResult(_test, { testResults }) {
    for (const { title, status } of testResults) {
      if (status === 'pending') this.#append({ name: title, passed: null, seconds: 0 });
    }
  }

  /** @param {CaseResult} result */
  #append(result) {
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }
}
