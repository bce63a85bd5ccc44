import { sendSignal } from '../process/end-process.mjs';

const CHECK_INTERVAL_MS = 30_000;

/**
 * A Jest reporter that ends the run if a suite does not end. Jest's own time limits need the event loop of the suite's
 * process. If a loop blocks it (`while (await resolvedPromise())`), the run hangs and Jest does not name the suite.
 */
export default class HangReporter {
  /** @type {Map<string, number>} start time of each running suite, by its path */
  #running = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #limitMs;
  #end;
  #checkIntervalMs;

  /**
   * @param {unknown} _config of Jest
   * @param {{ minutes: number }} options limit for one suite; the slowest one takes four minutes on two cores
   * @param {{ end?: (message: string) => void, checkIntervalMs?: number }} [parts]
   */
  constructor(_config, { minutes }, { end = endRun, checkIntervalMs = CHECK_INTERVAL_MS } = {}) {
    this.#limitMs = minutes * 60_000;
    this.#end = end;
    this.#checkIntervalMs = checkIntervalMs;
  }

  onRunStart() {
    this.#timer = setInterval(() => this.#check(), this.#checkIntervalMs);
    this.#timer.unref();
  }

  /** @param {{ path: string }} test */
  onTestFileStart({ path }) {
    this.#running.set(path, performance.now());
  }

  /** @param {{ path: string }} test */
  onTestFileResult({ path }) {
    this.#running.delete(path);
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  #check() {
    const overdue = [...this.#running].filter(([, startedAt]) => performance.now() - startedAt > this.#limitMs);
    if (overdue.length === 0) return;
    clearInterval(this.#timer);
    const minutes = Math.round(this.#limitMs / 60_000);
    this.#end(
      `FAILED: the run is stopped, because these suites did not end within ${minutes} minutes: ${overdue.map(([path]) => path).join(', ')}`,
    );
  }
}

/**
 * Ends Jest, its workers and all processes that tests started. Jest leads their process group (`run-jest.mjs`).
 * @param {string} message
 */
function endRun(message) {
  console.error(`\n${message}`);
  sendSignal(-process.pid, 'SIGKILL');
  // Reached only if Jest does not lead a process group.
  process.exit(1);
}
