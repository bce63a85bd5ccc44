import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * The result of one case of the fault matrix.
 * @typedef {object} CaseResult
 * @property {string} name
 * @property {boolean | null} passed null if the case was not chosen
 * @property {number} seconds
 */

/**
 * Prints each case of the fault matrix as it ends, because all of them take hours, and appends its result to the file
 * `TEST_FAULT_RESULTS`, so that a run that is ended early keeps its results.
 */
export default class CaseReporter {
  #file = process.env.TEST_FAULT_RESULTS ?? '';
  /** Jest reports each test twice that is in the second file of a worker. @type {Set<string>} */
  #reported = new Set();

  /**
   * @param {unknown} _test
   * @param {{ title: string, status: string, duration?: number | null, failureMessages: string[] }} result
   */
  onTestCaseResult(_test, { title, status, duration, failureMessages }) {
    if ((status !== 'passed' && status !== 'failed') || this.#reported.has(title)) return;
    this.#reported.add(title);
    const result = { name: title, passed: status === 'passed', seconds: Math.round((duration ?? 0) / 1000) };
    console.log(`  ${result.passed ? 'passed' : 'FAILED'}  ${title}  ${result.seconds} s`);
    // Jest prints failures when the whole lane has ended.
    for (const message of failureMessages) console.log(stripVTControlCharacters(message).replaceAll(/^/gm, '    '));
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
