import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { datasets, solutions } from '@millrace/contracts/resources';
import { dumpCopy, timeCopyIn } from './lib/live/copy-bare.mjs';
import { loadFile } from './lib/live/load-file.mjs';
import { COLUMNS, writeRows } from './lib/live/write-rows.mjs';
import { timeSeconds } from './lib/measure.mjs';
import { benchBusy } from './live-busy.mjs';
import { benchExport } from './live-export.mjs';
import { benchQueries } from './live-queries.mjs';

const ROWS = 1_000_000;
const MAX_MERGE_RATIO = 2;
const MIN_LOAD_RATIO = 0.7;

/**
 * A Live Table of a million rows, and the connections that its benchmarks need.
 * @typedef {object} LiveTable
 * @property {string} id
 * @property {string} api
 * @property {string} token
 * @property {string} folder temporary files of the benchmark
 * @property {pg.Client} client a direct connection to PostgreSQL, for the floors
 * @property {string} table physical name of the table
 * @property {Map<string, string>} column physical name of each column
 * @property {string} columns the physical names of the ten columns, for SQL
 */

/**
 * W6: loads, queries and exports a million rows. The floors do the same in SQL on a direct connection.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchLive(bench) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-live-'));
  // Steps run as users of their own, and read the files.
  await chmod(folder, 0o755);
  const client = new pg.Client({ connectionString: bench.system.database });
  await client.connect();
  try {
    const files = { first: join(folder, 'first.ndjson'), changed: join(folder, 'changed.ndjson') };
    await writeRows(files.first, ROWS);
    await writeRows(files.changed, ROWS, 1);
    const { live, results } = await benchLoads(bench, client, folder, files);
    results.push(...(await benchQueries(live, bench.note)));
    results.push(await benchExport(live, bench.note));
    results.push(await benchBusy(bench, live, files));
    return results;
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {import('./run.mjs').BenchContext} bench
 * @param {pg.Client} client
 * @param {string} folder
 * @param {{ first: string, changed: string }} files
 * @returns {Promise<{ live: LiveTable, results: import('./run.mjs').Result[] }>}
 */
async function benchLoads({ system, account, note }, client, folder, files) {
  const api = `${system.url}/api`;
  const { token } = account;
  const { id: solution } = await account.client.call(solutions.createSolution, {
    body: { name: 'Bench', space: account.space },
  });
  const load = async (/** @type {string} */ id, /** @type {string} */ path) => loadFile(api, token, id, path);
  const create = () =>
    account.client.call(datasets.createDataset, { body: { name: 'hosts', solution, primary_key: ['host'] } });
  // The first load compiles code and fills caches, so it is not measured.
  const warmUp = await create();
  await load(warmUp.id, files.first);
  await account.client.call(datasets.deleteDataset, { params: { id: warmUp.id } });
  const { id } = await create();
  const first = await timeSeconds(() => load(id, files.first));
  const live = await resolvePhysicalNames(client, { id, api, token, folder, client });
  const copied = join(folder, 'rows.copy');
  await dumpCopy(client, live.table, live.columns, copied);
  await timeCopyIn(client, live.table, live.columns, copied);
  const bare = await timeCopyIn(client, live.table, live.columns, copied);
  note(`load: ${first.toFixed(2)} s (floor ${bare.toFixed(2)} s)`);
  const merged = await timeSeconds(() => load(id, files.changed));
  note(`merge: ${merged.toFixed(2)} s`);
  const results = [
    {
      workload: 'W6: load of 1,000,000 rows, from the upload until they can be queried',
      isolation: '',
      ours: `${first.toFixed(2)} s (${Math.round(ROWS / first)} rows/s)`,
      floor: `${bare.toFixed(2)} s (COPY, same table and indexes)`,
      ratio: bare / first,
      goal: `at least ${MIN_LOAD_RATIO} of the speed of COPY`,
      met: bare / first >= MIN_LOAD_RATIO,
    },
    {
      workload: 'W6: second load of the same rows, 1 % changed',
      isolation: '',
      ours: `${merged.toFixed(2)} s`,
      floor: `${first.toFixed(2)} s (first load)`,
      ratio: merged / first,
      goal: `at most ${MAX_MERGE_RATIO} times the first load`,
      met: merged / first <= MAX_MERGE_RATIO,
    },
  ];
  return { live, results };
}

/**
 * @param {pg.Client} client
 * @param {Omit<LiveTable, 'table' | 'column' | 'columns'>} dataset
 * @returns {Promise<LiveTable>}
 */
async function resolvePhysicalNames(client, dataset) {
  const { rows } = await client.query(
    `SELECT d.number AS table, c.number AS column, c.name FROM datasets.dataset d
     JOIN datasets.dataset_column c ON c.dataset_id = d.id WHERE d.id = $1`,
    [dataset.id],
  );
  const column = new Map(rows.map((row) => [row.name, `c${row.column}`]));
  const columns = COLUMNS.map((name) => column.get(name)).join(', ');
  return { ...dataset, table: `live.d_${rows[0].table}`, column, columns };
}
