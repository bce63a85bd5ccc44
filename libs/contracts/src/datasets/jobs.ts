import { z } from 'zod';
import { job } from '../kit/job.js';

const number = z.string().regex(/^\d{1,18}$/);

/** Finds the outputs that a load has to read, and enqueues a job for each part. */
export const collectLoad = job('datasets.loads.collect', {
  queue: 'datasets-collect',
  payload: z.object({ load: number }),
  attempts: 8,
  backoffMs: 500,
  concurrency: 4,
});

/** Reads one part of a load into a staging table of its own. */
export const readPart = job('datasets.loads.read', {
  queue: 'datasets-ingest',
  payload: z.object({ part: number, vault: z.uuid() }),
  attempts: 5,
  backoffMs: 1000,
  concurrency: 3,
});

/** Merges the staged rows of all parts of a load into the table, in one transaction. */
export const mergeLoad = job('datasets.loads.merge', {
  queue: 'datasets-merge',
  payload: z.object({ load: number, vault: z.uuid() }),
  attempts: 8,
  backoffMs: 500,
  concurrency: 3,
});

/** Finds outputs of runs that look like tables. */
export const detectTables = job('datasets.tables.detect', {
  queue: 'datasets-detect',
  payload: z.object({ runs: z.array(z.object({ run: number, vault: z.uuid() })) }),
  attempts: 3,
  backoffMs: 2000,
});

/** Creates requested indexes of a table, and drops unused ones. */
export const updateIndexes = job('datasets.indexes.keep', {
  queue: 'datasets-indexes',
  payload: z.object({ dataset: z.uuid() }),
  attempts: 3,
  backoffMs: 5000,
});

/** Drops tables, and columns of tables, that no record refers to. */
export const dropLiveTables = job('datasets.live.drop', {
  queue: 'datasets-drop',
  payload: z.object({
    tables: z.array(z.number().int()).describe('Numbers of datasets'),
    columns: z.array(z.object({ table: z.number().int(), column: z.number().int() })),
  }),
  attempts: 20,
  backoffMs: 1000,
});

export const writeExport = job('datasets.exports.write', {
  queue: 'datasets-exports',
  payload: z.object({ export: number }),
  attempts: 3,
  backoffMs: 2000,
  concurrency: 4,
});
