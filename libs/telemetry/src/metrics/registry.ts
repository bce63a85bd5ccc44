import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, in the names and units of Prometheus (prometheus.io, "Metric and label naming"): prefix
 * `millrace_`, seconds and bytes. The values of a label are bounded: never ids of records, nor texts of users.
 */
const registry = new Registry();

const sampled = new Set<Gauge>();
const sources = new Set<MetricSource>();

/** A source that takes longer is left out of a scrape. Prometheus itself gives up after 10 s. */
const SOURCE_TIMEOUT_MS = 3_000;
/** Precision of the event loop delay. The default of 10 ms would wake an idle process 100 times a second. */
const EVENT_LOOP_PRECISION_MS = 50;

/** Buckets for work that takes between a millisecond and a minute, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const createCounter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
  new Counter({ name, help, labelNames, registers: [registry] });

export const createHistogram = <L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  buckets: readonly number[] = DURATION_BUCKETS,
): Histogram<L> => new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });

export type { Histogram };

/** A gauge whose values are read when metrics are scraped, by a `MetricSource`. */
export function createGauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  sampled.add(gauge);
  return gauge;
}

/** One value of a gauge. */
export interface Sample {
  gauge: Gauge<string>;
  labels: Record<string, string>;
  value: number;
}

/** Reads the current values of gauges, for each scrape. */
export interface MetricSource {
  /** For the counter of failed scrapes. */
  name: string;
  read: () => Promise<Sample[]> | Sample[];
}

const failures = createCounter('millrace_metric_source_failures_total', 'Scrapes without the gauges of a source', [
  'source',
]);

/** Adds a source. @returns a function that removes it */
export function addMetricSource(source: MetricSource): () => void {
  sources.add(source);
  return () => void sources.delete(source);
}

/** Gauges of `prom-client` with the ending of a counter. Those without `_total` are left, which have the same values. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Measures memory, CPU, garbage collection and event loop of this process from now on, with the names of `prom-client`. */
export function measureProcess(): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

export const METRICS_CONTENT_TYPE = registry.contentType;

/** All metrics in the text format of Prometheus. A source that fails is counted, and its gauges are absent. */
export async function renderMetrics(): Promise<string> {
  const samples = await Promise.all([...sources].map(readSource));
  for (const gauge of sampled) gauge.reset();
  for (const { gauge, labels, value } of samples.flat()) gauge.set(labels, value);
  return registry.metrics();
}

async function readSource({ name, read }: MetricSource): Promise<Sample[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), SOURCE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([Promise.resolve().then(read), timeout]);
  } catch {
    failures.inc({ source: name });
    return [];
  } finally {
    clearTimeout(timer);
  }
}
