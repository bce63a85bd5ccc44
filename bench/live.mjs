import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { datasets, solutions } from '../libs/sdk/dist/resources.js';
import { dumpCopy, timeCopyIn } from './lib/live/copy-bare.mjs';
import { loadFile } from './lib/live/load-file.mjs';
import { COLUMNS, writeRows } from './lib/live/make-rows.mjs';
import { secondsOf } from './lib/measure.mjs';
import { benchBusy } from './live-busy.mjs';
import { benchExport } from './live-export.mjs';
import { benchQueries } from './live-queries.mjs';

const ROWS = 1_000_000;
const MERGE = 2;
const INGEST = 0.5;

/**
 * A table of a million rows, and what its benchmarks need.
 * @typedef {object} LiveTable
 * @property {string} id
 * @property {string} api
 * @property {string} token
 * @property {string} folder of the bench, for files
 * @property {pg.Client} client a bare connection
 * @property {string} table its physical name
 * @property {Map<string, string>} column physical names by name
 * @property {string} columns the ten physical names
 */

/**
 * W6: a million rows in, queried, out again; each beside the same by hand on a bare connection.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchLive(bench) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-live-'));
  const client = new pg.Client({ connectionString: bench.system.database });
  await client.connect();
  try {
    const files = { first: join(folder, 'first.ndjson'), changed: join(folder, 'changed.ndjson') };
    await writeRows(files.first, ROWS);
    await writeRows(files.changed, ROWS, 1);
    const { live, results } = await benchIngest(bench, client, folder, files);
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
 * @param {import('./run.mjs').Bench} bench
 * @param {pg.Client} client
 * @param {string} folder
 * @param {{ first: string, changed: string }} files
 * @returns {Promise<{ live: LiveTable, results: import('./run.mjs').Result[] }>}
 */
async function benchIngest({ system, account, note }, client, folder, files) {
  const api = `${system.url}/api`;
  const { token } = account;
  const { id: solution } = await account.client.call(solutions.createSolution, {
    body: { name: 'Bench', space: account.space },
  });
  const load = async (/** @type {string} */ id, /** @type {string} */ path) => loadFile(api, token, id, path);
  const create = () =>
    account.client.call(datasets.createDataset, { body: { name: 'hosts', solution, primary_key: ['host'] } });
  // Once for nothing: what is compiled and cached the first time is not what is measured.
  const warm = await create();
  await load(warm.id, files.first);
  await account.client.call(datasets.deleteDataset, { params: { id: warm.id } });
  const { id } = await create();
  const first = await secondsOf(() => load(id, files.first));
  const live = await describeTable(client, { id, api, token, folder, client });
  const copied = join(folder, 'rows.copy');
  await dumpCopy(client, live.table, live.columns, copied);
  await timeCopyIn(client, live.table, live.columns, copied);
  const bare = await timeCopyIn(client, live.table, live.columns, copied);
  note(`in: ${first.toFixed(2)} s beside ${bare.toFixed(2)} s`);
  const merged = await secondsOf(() => load(id, files.changed));
  note(`merge: ${merged.toFixed(2)} s`);
  const results = [
    {
      workload: 'W6 1,000,000 rows in, file to queryable',
      isolation: '',
      ours: `${first.toFixed(2)} s (${Math.round(ROWS / first)} rows/s)`,
      floor: `${bare.toFixed(2)} s (COPY, same table and indexes)`,
      ratio: bare / first,
      goal: `at least ${INGEST} of COPY`,
      met: bare / first >= INGEST,
    },
    {
      workload: 'W6 the same again, 1 % changed',
      isolation: '',
      ours: `${merged.toFixed(2)} s`,
      floor: `${first.toFixed(2)} s (first load)`,
      ratio: merged / first,
      goal: `at most ${MERGE} of the first load`,
      met: merged / first <= MERGE,
    },
  ];
  return { live, results };
}

/**
 * @param {pg.Client} client
 * @param {Omit<LiveTable, 'table' | 'column' | 'columns'>} known
 * @returns {Promise<LiveTable>}
 */
async function describeTable(client, known) {
  const { rows } = await client.query(
    `SELECT d.number AS table, c.number AS column, c.name FROM datasets.dataset d
     JOIN datasets.dataset_column c ON c.dataset_id = d.id WHERE d.id = $1`,
    [known.id],
  );
  const column = new Map(rows.map((row) => [row.name, `c${row.column}`]));
  const columns = COLUMNS.map((name) => column.get(name)).join(', ');
  return { ...known, table: `live.d_${rows[0].table}`, column, columns };
}
