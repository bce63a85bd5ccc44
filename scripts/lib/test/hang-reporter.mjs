import { sendSignal } from '../process/end-process.mjs';

const LOOK_EVERY_MS = 30_000;

/**
 * A Jest reporter that ends the run if a suite does not end. Jest's own time limits need the event loop of the suite's
 * process: a loop that never gives it back (`while (await answerWithoutWaiting())`) hangs for ever, and names nobody.
 */
export default class HangReporter {
  /** @type {Map<string, number>} when each suite that runs began, by its path */
  #running = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #limitMs;
  #end;
  #lookEveryMs;

  /**
   * @param {unknown} _config of Jest
   * @param {{ minutes: number }} options how long a suite may take; the longest takes four minutes on two cores
   * @param {{ end?: (message: string) => void, lookEveryMs?: number }} [parts]
   */
  constructor(_config, { minutes }, { end = endRun, lookEveryMs = LOOK_EVERY_MS } = {}) {
    this.#limitMs = minutes * 60_000;
    this.#end = end;
    this.#lookEveryMs = lookEveryMs;
  }

  onRunStart() {
    this.#timer = setInterval(() => this.#look(), this.#lookEveryMs);
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

  #look() {
    const late = [...this.#running].filter(([, begun]) => performance.now() - begun > this.#limitMs);
    if (late.length === 0) return;
    clearInterval(this.#timer);
    const minutes = Math.round(this.#limitMs / 60_000);
    this.#end(
      `FAILED: no end after ${minutes} minutes, so the run is given up: ${late.map(([path]) => path).join(', ')}`,
    );
  }
}

/**
 * Ends Jest, which is the leader of a process group (`run-jest.mjs`), with its workers and all that tests have started.
 * @param {string} message
 */
function endRun(message) {
  console.error(`\n${message}`);
  sendSignal(-process.pid, 'SIGKILL');
  // It was started in another way.
  process.exit(1);
}
