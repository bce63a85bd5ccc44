import { Station } from './station.mjs';

/** Copies of a service, each with one server and a queue of its own. A request goes to any of them, as NATS distributes calls. */
export class Copies {
  /**
   * @param {import('./event-queue.mjs').EventQueue} clock
   * @param {number} count
   * @param {import('../../lib/random.mjs').Random} random
   */
  constructor(clock, count, random) {
    this.stations = Array.from({ length: count }, () => new Station(clock, 1));
    this.random = random;
  }

  /**
   * @param {number} seconds
   * @param {() => void} done
   */
  serve(seconds, done) {
    this.stations[Math.floor(this.random() * this.stations.length)]?.serve(seconds, done);
  }

  reset() {
    for (const station of this.stations) station.reset();
  }

  get servers() {
    return this.stations.length;
  }

  get busySeconds() {
    return this.stations.reduce((sum, station) => sum + station.busySeconds, 0);
  }

  get waits() {
    return this.stations.flatMap(({ waits }) => waits);
  }
}
