import { z } from 'zod';
import { job } from '../kit/job.js';

const number = z.string().regex(/^\d{1,18}$/);

/** Finds out which outputs a load has to read, and orders their reading. */
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

/** Brings what all parts of a load have staged into the table, in one transaction. */
export const mergeLoad = job('datasets.loads.merge', {
  queue: 'datasets-merge',
  payload: z.object({ load: number, vault: z.uuid() }),
  attempts: 8,
  backoffMs: 500,
  concurrency: 3,
});

/** Looks which outputs of runs are tables. */
export const detectTables = job('datasets.tables.detect', {
  queue: 'datasets-detect',
  payload: z.object({ runs: z.array(z.object({ run: number, vault: z.uuid() })) }),
  attempts: 3,
  backoffMs: 2000,
});

/** Makes the indexes that are asked for, and drops those that are not any more. */
export const updateIndexes = job('datasets.indexes.keep', {
  queue: 'datasets-indexes',
  payload: z.object({ dataset: z.uuid() }),
  attempts: 3,
  backoffMs: 5000,
});

/** Drops tables, and columns of tables, that nothing in the records names any more. */
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
