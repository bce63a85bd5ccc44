import type { Readable } from 'node:stream';
import { createHistogram } from '@millrace/telemetry/metrics/registry';
import { ObjectMissingError, type ListedObject, type ObjectStore } from './object-store.js';

const durations = createHistogram(
  'millrace_storage_operation_duration_seconds',
  'Duration of operations on the object store, by outcome',
  ['operation', 'outcome'],
);

/**
 * Measures the operations on a store. A stream counts until it is closed, so `read` includes how long its reader takes.
 * `missing`: the object does not exist, which does not count as a failure.
 */
export class MeasuredStore implements ObjectStore {
  constructor(private readonly store: ObjectStore) {}

  put: ObjectStore['put'] = (...args) => measure('put', () => this.store.put(...args));
  adopt: ObjectStore['adopt'] = (...args) => measure('adopt', () => this.store.adopt(...args));
  has: ObjectStore['has'] = (...args) => measure('has', () => this.store.has(...args));
  size: ObjectStore['size'] = (...args) => measure('size', () => this.store.size(...args));
  readAll: ObjectStore['readAll'] = (...args) => measure('readAll', () => this.store.readAll(...args));
  link: ObjectStore['link'] = (...args) => measure('link', () => this.store.link(...args));
  remove: ObjectStore['remove'] = (...args) => measure('remove', () => this.store.remove(...args));
  check: ObjectStore['check'] = () => measure('check', () => this.store.check());

  read(...args: Parameters<ObjectStore['read']>): Readable {
    const startedAt = performance.now();
    const stream = this.store.read(...args);
    return stream.once('close', () => observe('read', startedAt, stream.errored));
  }

  /** Not measured: its caller decides how long each page takes. */
  list(digits: string): AsyncIterable<ListedObject[]> {
    return this.store.list(digits);
  }
}

async function measure<T>(operation: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await run();
    observe(operation, startedAt, null);
    return result;
  } catch (error) {
    observe(operation, startedAt, error);
    throw error;
  }
}

function observe(operation: string, startedAt: number, error: unknown): void {
  const outcome = error == null ? 'succeeded' : error instanceof ObjectMissingError ? 'missing' : 'failed';
  durations.observe({ operation, outcome }, (performance.now() - startedAt) / 1000);
}
