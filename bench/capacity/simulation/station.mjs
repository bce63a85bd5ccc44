/** A queue with one or several equal servers, which serve in the order of arrival. */
export class Station {
  /** @type {{ start: () => void, arrivedAt: number }[]} */
  #waiting = [];
  #first = 0;
  #busy = 0;
  #busySince = 0;
  #busySeconds = 0;
  /** Seconds that each arrival has waited, since the last `reset`. @type {number[]} */
  waits = [];

  /**
   * @param {import('./event-queue.mjs').EventQueue} clock
   * @param {number} servers
   */
  constructor(clock, servers) {
    this.clock = clock;
    this.servers = servers;
  }

  /**
   * Occupies a server until `release`.
   * @param {() => void} start called when a server is free
   */
  acquire(start) {
    const arrivedAt = this.clock.now;
    if (this.#busy < this.servers) return this.#begin({ start, arrivedAt });
    this.#waiting.push({ start, arrivedAt });
  }

  release() {
    this.#count();
    this.#busy -= 1;
    const next = this.#waiting[this.#first];
    if (!next) return;
    this.#first += 1;
    // Removing the first entry of a long array each time would take quadratic time.
    if (this.#first > 1_000 && this.#first * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    this.#begin(next);
  }

  /**
   * Occupies a server for some time.
   * @param {number} seconds
   * @param {() => void} done
   */
  serve(seconds, done) {
    this.acquire(() =>
      this.clock.after(seconds, () => {
        this.release();
        done();
      }),
    );
  }

  /** Forgets what was measured so far. */
  reset() {
    this.#count();
    this.#busySeconds = 0;
    this.waits = [];
  }

  /** @returns {number} seconds that the servers were busy since the last `reset`, added up */
  get busySeconds() {
    this.#count();
    return this.#busySeconds;
  }

  /** @param {{ start: () => void, arrivedAt: number }} arrival */
  #begin({ start, arrivedAt }) {
    this.#count();
    this.#busy += 1;
    this.waits.push(this.clock.now - arrivedAt);
    start();
  }

  #count() {
    this.#busySeconds += this.#busy * (this.clock.now - this.#busySince);
    this.#busySince = this.clock.now;
  }
}
