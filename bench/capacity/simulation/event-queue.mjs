/** @typedef {{ time: number, order: number, run: () => void }} SimulatedEvent */

/** The clock of a simulation: runs events in the order of their times, equal ones in the order in which they were added. */
export class EventQueue {
  /** @type {SimulatedEvent[]} a binary heap: an event is not earlier than the one at half its index */
  #heap = [];
  #added = 0;
  /** Seconds since the start of the simulation. */
  now = 0;

  /**
   * @param {number} delay seconds from now, at least 0
   * @param {() => void} run
   */
  after(delay, run) {
    this.#heap.push({ time: this.now + delay, order: this.#added++, run });
    this.#rise(this.#heap.length - 1);
  }

  /** @param {number} end runs all events before this time, in seconds */
  runUntil(end) {
    for (let next = this.#heap[0]; next && next.time < end; next = this.#heap[0]) {
      this.#removeFirst();
      this.now = next.time;
      next.run();
    }
    this.now = end;
  }

  /** @param {number} index */
  #rise(index) {
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isEarlier(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #removeFirst() {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let index = 0; ;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let first = index;
      if (left < this.#heap.length && this.#isEarlier(left, first)) first = left;
      if (right < this.#heap.length && this.#isEarlier(right, first)) first = right;
      if (first === index) return;
      this.#swap(index, first);
      index = first;
    }
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  #isEarlier(a, b) {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other) return false;
    return one.time < other.time || (one.time === other.time && one.order < other.order);
  }

  /**
   * @param {number} a
   * @param {number} b
   */
  #swap(a, b) {
    [this.#heap[a], this.#heap[b]] = /** @type {[SimulatedEvent, SimulatedEvent]} */ ([this.#heap[b], this.#heap[a]]);
  }
}
