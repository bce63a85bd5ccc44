import { exponential } from '../../lib/random.mjs';
import { Copies } from './copies.mjs';
import { COPIED, PROCESSES } from './model.mjs';
import { Station } from './station.mjs';

/** @typedef {import('../measure-phase.mjs').Cost} Cost */

/** The processes that a request, and a change of a run, occupy one after the other. */
const REQUEST_WAY = ['gateway', 'nats', 'auth', 'workflows', 'runs', 'datasets', 'postgres', 'redis'];
const ENGINE_WAY = ['gateway', 'nats', 'workflows', 'runs', 'postgres', 'redis'];
/** The services that handle the events of a run. Nothing waits for them. */
const AFTERWARDS = ['auth', 'datasets', 'billing', 'notifications'];

/**
 * The services and servers as queues, and what happens in them. Everything that occupies a processor has an exponential
 * duration with the measured mean.
 */
export class SimulatedSystem {
  /** Seconds until the response of each request. @type {number[]} */
  latencies = [];
  /** Seconds from ready until a worker begins, of each dispatch. @type {number[]} */
  subjobWaits = [];

  /**
   * @param {import('./event-queue.mjs').EventQueue} clock
   * @param {import('../../lib/random.mjs').Random} random
   * @param {{ load: import('./model.mjs').Load, sizes: import('./model.mjs').Sizes, units: import('../derive-units.mjs').Units }} input
   */
  constructor(clock, random, { load, sizes, units }) {
    this.clock = clock;
    this.random = random;
    this.load = load;
    this.units = units;
    this.slots = new Station(clock, (sizes.worker ?? 1) * load.slotsPerWorker);
    /** @type {Map<string, Station | Copies>} */
    this.stations = new Map([
      ...PROCESSES.map((name) => /** @type {const} */ ([name, this.#stationOf(name, sizes[name] ?? 1)])),
      /** @type {const} */ (['slots', this.slots]),
    ]);
  }

  /** Forgets what was measured so far. */
  reset() {
    for (const station of this.stations.values()) station.reset();
    [this.latencies, this.subjobWaits] = [[], []];
  }

  /** A request of a user. */
  request() {
    const startedAt = this.clock.now;
    this.#visit(this.units.request, REQUEST_WAY, 1, () => this.latencies.push(this.clock.now - startedAt));
  }

  /** A run of one chain, which is one dispatch. */
  runChain() {
    const { units, load } = this;
    this.#run(units.run, (lock, done) => this.#dispatch(lock, { cost: units.child, steps: load.stepsPerChain }, done));
  }

  /** A run with a step, children that each are a dispatch, and a step that gathers. The cost of the run contains both steps. */
  runFan() {
    const { units, load, random } = this;
    this.#run(units.fan, (lock, done) =>
      this.#dispatch(lock, { cost: null, steps: 1 }, () => {
        const children = Math.max(1, Math.round(exponential(random, load.childrenPerFan)));
        let left = children;
        const ended = () => {
          left -= 1;
          if (left === 0) this.#dispatch(lock, { cost: null, steps: 1 }, done);
        };
        for (let child = 0; child < children; child += 1) this.#dispatch(lock, { cost: units.child, steps: 1 }, ended);
      }),
    );
  }

  /**
   * @param {string} name
   * @param {number} size
   */
  #stationOf(name, size) {
    return COPIED.includes(name) ? new Copies(this.clock, size, this.random) : new Station(this.clock, size);
  }

  /**
   * @param {Cost} cost half of it is for the start, the other half for the end
   * @param {(lock: Station, done: () => void) => void} work
   */
  #run(cost, work) {
    const lock = new Station(this.clock, 1);
    const end = () => this.#change(lock, cost, () => this.#visit(cost, [...AFTERWARDS, 'worker'], 1, () => {}));
    this.#change(lock, cost, () => work(lock, end));
  }

  /**
   * A dispatch waits for a slot, and keeps it from the change that dispatches until the change by its report.
   * @param {Station} lock
   * @param {{ cost: Cost | null, steps: number }} options
   * @param {() => void} done
   */
  #dispatch(lock, { cost, steps }, done) {
    const readyAt = this.clock.now;
    const report = () =>
      this.#change(lock, cost, () => {
        this.slots.release();
        this.#visit(cost, AFTERWARDS, 1, () => {});
        done();
      });
    this.slots.acquire(() =>
      this.#change(lock, cost, () => {
        this.subjobWaits.push(this.clock.now - readyAt);
        this.#visit(cost, ['worker'], 1, () => this.#execute(steps, report));
      }),
    );
  }

  /**
   * Executes steps one after the other in a slot.
   * @param {number} steps
   * @param {() => void} done
   */
  #execute(steps, done) {
    const { units, load, random } = this;
    const sandboxSeconds = (units.child.cpuMs.steps ?? 0) / 1000;
    this.clock.after(sandboxSeconds + exponential(random, load.stepSeconds), () => {
      if (steps === 1) return done();
      this.#visit(units.step, [...ENGINE_WAY, 'worker'], 1, () => this.#execute(steps - 1, done));
    });
  }

  /**
   * Changes of one run happen one after the other, because each locks its row.
   * @param {Station} lock
   * @param {Cost | null} cost half of it
   * @param {() => void} done
   */
  #change(lock, cost, done) {
    lock.acquire(() =>
      this.#visit(cost, ENGINE_WAY, 0.5, () => {
        lock.release();
        done();
      }),
    );
  }

  /**
   * Occupies one process after the other for a share of a cost.
   * @param {Cost | null} cost
   * @param {string[]} names
   * @param {number} share
   * @param {() => void} done
   */
  #visit(cost, names, share, done) {
    const [name, ...others] = names;
    if (name === undefined || !cost) return done();
    const goOn = () => this.#visit(cost, others, share, done);
    const mean = ((cost.cpuMs[name] ?? 0) / 1000) * share;
    if (mean === 0) return goOn();
    this.stations.get(name)?.serve(exponential(this.random, mean), goOn);
  }
}
