import type { Export, Load } from '@millrace/persistence/generated/client';
import { createCounter, createHistogram } from '@millrace/telemetry/metrics/registry';

/** Loads and exports take from a fraction of a second to hours, the time in their queue included. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];

const loads = createCounter('millrace_table_loads_total', 'Loads of Live Tables by outcome', ['outcome']);
const loadedRows = createCounter('millrace_table_load_rows_total', 'Rows that loads merged into Live Tables', [
  'change',
]);
const loadDuration = createHistogram(
  'millrace_table_load_duration_seconds',
  'From the start of a load until its rows are in the table',
  [],
  BUCKETS,
);
const exports = createCounter('millrace_exports_total', 'Exports of Live Tables by outcome', ['outcome']);
const exportDuration = createHistogram(
  'millrace_export_duration_seconds',
  'From the request of an export until its file is stored',
  [],
  BUCKETS,
);

for (const outcome of ['completed', 'empty', 'failed']) loads.inc({ outcome }, 0);
for (const outcome of ['completed', 'failed', 'retried']) exports.inc({ outcome }, 0);

/** Rows by how the load changed them. */
export interface MergedRows {
  created: number;
  changed: number;
  unchanged: number;
  gone: number;
}

export function measureMerge({ startedAt, createdAt }: Load, { created, changed, unchanged, gone }: MergedRows): void {
  loads.inc({ outcome: 'completed' });
  loadDuration.observe({}, secondsSince(startedAt ?? createdAt));
  for (const [change, count] of Object.entries({ created, changed, unchanged, gone })) {
    loadedRows.inc({ change }, count);
  }
}

/** `empty`: the run had no output to load. `failed`: no further attempt follows. */
export const countLoad = (outcome: 'empty' | 'failed'): void => loads.inc({ outcome });

export function measureExport({ createdAt }: Export): void {
  exports.inc({ outcome: 'completed' });
  exportDuration.observe({}, secondsSince(createdAt));
}

/** `retried`: another attempt follows. */
export const countFailedExport = (outcome: 'failed' | 'retried'): void => exports.inc({ outcome });

const secondsSince = (date: Date): number => Math.max(0, Date.now() - date.getTime()) / 1000;
