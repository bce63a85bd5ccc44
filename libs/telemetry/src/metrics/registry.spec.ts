import { expect, it } from '@jest/globals';
import { valueIn } from '../testing/read-metric.js';
import { addMetricSource, createCounter, createGauge, createHistogram, renderMetrics } from './registry.js';

it('renders counters and histograms as they are', async () => {
  createCounter('millrace_things_total', 'Things', ['kind']).inc({ kind: 'a' }, 2);
  createHistogram('millrace_wait_seconds', 'Wait', ['queue'], [0.1, 1]).observe({ queue: 'q' }, 0.5);
  const text = await renderMetrics();
  expect(valueIn(text, 'millrace_things_total{kind="a"}')).toBe(2);
  expect(valueIn(text, 'millrace_wait_seconds_bucket{le="0.1",queue="q"}')).toBe(0);
  expect(valueIn(text, 'millrace_wait_seconds_bucket{le="1",queue="q"}')).toBe(1);
});

it('reads gauges at each scrape, and does not repeat values of a source that fails or is removed', async () => {
  const gauge = createGauge('millrace_depth', 'Depth', ['queue']);
  let depth = 1;
  const sampleOf = (queue: string) => [{ gauge, labels: { queue }, value: depth }];
  const remove = addMetricSource({ name: 'one', read: () => sampleOf('one') });
  let fails = false;
  addMetricSource({
    name: 'two',
    read: () => (fails ? Promise.reject(new Error('Redis is away')) : Promise.resolve(sampleOf('two'))),
  });
  const read = async () => {
    const text = await renderMetrics();
    return ['one', 'two'].map((queue) => valueIn(text, `millrace_depth{queue="${queue}"}`));
  };
  expect(await read()).toEqual([1, 1]);
  depth = 2;
  fails = true;
  expect(await read()).toEqual([2, undefined]);
  expect(valueIn(await renderMetrics(), 'millrace_metric_source_failures_total{source="two"}')).toBe(2);
  remove();
  fails = false;
  expect(await read()).toEqual([undefined, 2]);
});
