import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The period of the timer that measures (libs/telemetry/src/metrics/registry.ts); its metrics contain it. */
const TIMER_MS = 50;

/** @typedef {{ name: string, copy: number, healthPort: number }} Probe */
/** @typedef {{ name: string, copy: number, p50Ms: number, p99Ms: number }} LoopLag the median of the intervals, and the largest */

/**
 * Watches how late timers are in the event loops of services, by their metrics, until it is stopped. Each scrape begins an
 * interval of 10 s.
 * @param {Probe[]} probes
 * @returns {{ stop: () => Promise<LoopLag[]> }}
 */
export function watchLoopLag(probes) {
  const ending = new AbortController();
  /** @type {Map<Probe, { p50: number[], p99: number[] }>} */
  const samples = new Map(probes.map((probe) => [probe, { p50: [], p99: [] }]));
  const sampleAll = () =>
    Promise.all(
      probes.map(async (probe) => {
        const lag = await readLag(probe.healthPort);
        samples.get(probe)?.p50.push(lag.p50);
        samples.get(probe)?.p99.push(lag.p99);
      }),
    );
  const watching = (async () => {
    // The first scrape ends an interval that began before the load.
    await Promise.all(probes.map(({ healthPort }) => readLag(healthPort)));
    while (!ending.signal.aborted) {
      await sleep(INTERVAL_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      await sampleAll();
    }
  })();
  // `stop` reports a failure; until then it must not end this process.
  watching.catch(() => undefined);
  return {
    stop: async () => {
      ending.abort();
      await watching;
      return [...samples].map(([{ name, copy }, { p50, p99 }]) => ({
        ...{ name, copy },
        p50Ms: p50.toSorted((a, b) => a - b)[Math.floor(p50.length / 2)] ?? NaN,
        p99Ms: Math.max(...p99),
      }));
    },
  };
}

/**
 * @param {number} port
 * @returns {Promise<{ p50: number, p99: number }>} milliseconds
 */
async function readLag(port) {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal });
  const text = await response.text();
  const read = (/** @type {string} */ name) => {
    const line = new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text);
    return Math.max(0, 1000 * Number(line?.[1]) - TIMER_MS);
  };
  return { p50: read('p50'), p99: read('p99') };
}
