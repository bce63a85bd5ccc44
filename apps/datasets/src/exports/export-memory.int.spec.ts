import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EXPORT_FORMATS, type ExportFormat } from '@millrace/contracts/datasets/exports';
import { ownerCaller } from '@millrace/testkit/callers';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { seedNumbers } from './testing/exporting.js';
import type { ExportTask } from './writing/export-task.js';

const PROGRAM = fileURLToPath(new URL('../../dist/exports/testing/write-and-measure.js', import.meta.url));
const HASHES = 24;
const TEXT_BYTES = HASHES * 32;
const ROWS = 300_000;

let database: FreshDatabase;
let folder: string;
let dataset: string;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'millrace-exports-'));
  const table = await seedNumbers({ database }, ownerCaller(), ROWS);
  await database.query(`UPDATE live.d_${table.number} SET c2 = repeat(md5(c1::text), ${HASHES})`);
  dataset = table.id;
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Bytes of the file for this number of rows, and the peak memory of writing it. */
async function measure(format: ExportFormat, rows: number): Promise<{ size: number; peak: number }> {
  const task: ExportTask = {
    database: { url: database.url },
    storage: { STORAGE_DIR: folder, STORAGE_CACHE: 0 },
    format,
    dataset,
    selection: { q: `n <= ${rows}`, select: '', order: '' },
    now: new Date(),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(task)]);
  return JSON.parse(stdout) as { size: number; peak: number };
}

it.each(EXPORT_FORMATS)('an export of three times the rows as %s needs hardly more memory', async (format) => {
  // Parquet keeps one row group in memory, and both files have more than one.
  const [small, large] = [await measure(format, ROWS / 3), await measure(format, ROWS)];
  const more = (2 / 3) * ROWS * TEXT_BYTES;
  if (format !== 'parquet') expect(large.size - small.size).toBeGreaterThan(more);
  expect(large.peak - small.peak).toBeLessThan(more / 2);
});
