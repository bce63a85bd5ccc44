/** Lets the request that started a run wait for the run's end, which another job of the same process reports. */
export class RunWaiters {
  /** @type {Map<string, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map();

  /**
   * @param {string} run
   * @param {() => Promise<unknown>} start enqueues the first job of the run
   * @returns {Promise<any>} the result that `finish` gets
   */
  async start(run, start) {
    const ended = new Promise((resolve, reject) => this.#pending.set(run, { resolve, reject }));
    await start();
    return ended;
  }

  /**
   * @param {string} run
   * @param {unknown} [value]
   */
  finish(run, value) {
    this.#pending.get(run)?.resolve(value);
    this.#pending.delete(run);
  }

  /**
   * @param {string} run
   * @param {unknown} error
   */
  fail(run, error) {
    this.#pending.get(run)?.reject(error instanceof Error ? error : new Error(String(error)));
    this.#pending.delete(run);
  }
}
