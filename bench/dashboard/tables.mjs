import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadFile } from '../lib/live/load-file.mjs';
import { writeRows } from '../lib/live/write-rows.mjs';
import { measureFilter } from './lib/measure-filter.mjs';
import { formatMs, percentile, verdict } from './lib/values.mjs';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
const MAX_RATIO = 1.3;

/** Conditions from those that match nearly all rows to those that match one. */
const FILTERS = [
  'port > 100',
  'tls = true',
  'port = 443',
  'status = 404',
  'status IN (403, 404, 500)',
  'cdn IS NULL',
  'cdn = "fastly"',
  'status = 500',
  'length < 50000',
  'length >= 99000',
  'length = 4711',
  'time >= "2026-06-01"',
  'time < "2026-01-02"',
  'port = 22 AND tls = false',
  'status = 404 AND tls = true AND cdn IS NULL',
  'port = 8443 AND (status = 500 OR status = 302)',
  'ip = 10.3.7.0/24',
  'ip = 10.9.0.0/16',
  'ip = 10.1.2.3',
  'title LIKE "%needle%"',
  'host LIKE "h1a%"',
  'host LIKE "%.shop.example.com"',
  'title LIKE "login admin%"',
  'port = 3000 AND length < 10',
];

/**
 * From the key that applies a filter, without a pause, to the frame that shows its rows; beside the same request by `fetch` in the
 * same page. A frame takes up to 16.7 ms on a screen of 60 Hz.
 * @param {import('./run.mjs').DashboardBench} bench
 * @returns {Promise<import('./run.mjs').Row[]>}
 */
export async function measureFilters({ url, account, browser, note }) {
  const table = await makeTable(url, account);
  const page = await browser.newPage();
  await page.goto(`${url}/tables/${table}`);
  await page.locator('[role=row][aria-rowindex="2"]').waitFor();
  await warmUp(page);
  /** @type {import('./lib/measure-filter.mjs').FilterTime[]} */
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const filter of FILTERS) {
      const time = await measureFilter(page, filter);
      note(formatTime(time));
      times.push(time);
    }
  await page.context().close();
  return report(times);
}

/**
 * @param {string} url
 * @param {import('../lib/account.mjs').Account} account
 * @returns {Promise<string>} the id of a table with `ROWS` rows
 */
async function makeTable(url, { client, token, space }) {
  const solution = await client.solutions.create({ name: 'Bench', space });
  const { id } = await client.datasets.create({ name: 'hosts', solution: solution.id, primary_key: ['host'] });
  const folder = await mkdtemp(join(tmpdir(), 'millrace-filter-'));
  try {
    await writeRows(join(folder, 'rows.ndjson'), ROWS);
    await loadFile(`${url}/api`, token, id, join(folder, 'rows.ndjson'));
  } finally {
    await rm(folder, { recursive: true });
  }
  return id;
}

/**
 * The service creates indexes for conditions that are slow, and analyzes the table after the load.
 * @param {import('@playwright/test').Page} page
 */
async function warmUp(page) {
  for (let round = 0; round < 3; round += 1) {
    for (const filter of FILTERS) await measureFilter(page, filter);
    await sleep(5_000);
  }
}

/** @param {import('./lib/measure-filter.mjs').FilterTime} time */
const formatTime = ({ filter, shown, api, toRequest, response, render, frame }) =>
  `${formatMs(shown)}, API ${formatMs(api)} (${[toRequest, response, render, frame].map(formatMs).join(' + ')}) ${filter}`;

/**
 * @param {import('./lib/measure-filter.mjs').FilterTime[]} times
 * @returns {import('./run.mjs').Row[]}
 */
function report(times) {
  const valuesOf = (/** @type {'shown' | 'toRequest' | 'response' | 'render' | 'frame' | 'api'} */ what) =>
    times.map((time) => time[what]);
  const row = (/** @type {string} */ name, /** @type {number[]} */ values) =>
    /** @type {import('./run.mjs').Row} */ ([
      name,
      `${formatMs(percentile(values, 0.5))}, p95 ${formatMs(percentile(values, 0.95))}`,
      '',
      '',
    ]);
  const ratio = percentile(
    times.map(({ shown, api }) => shown / api),
    0.5,
  );
  return [
    row(`${times.length} filters of ${ROWS} rows: key to the frame with the rows`, valuesOf('shown')),
    row('  key to the request', valuesOf('toRequest')),
    row('  request to its last byte', valuesOf('response')),
    row('  last byte to rows in the document', valuesOf('render')),
    row('  document to the painted frame', valuesOf('frame')),
    row('  the same request by fetch', valuesOf('api')),
    [
      `  ratio, with a load of ${loadavg()[0]?.toFixed(1)}`,
      ratio.toFixed(2),
      String(MAX_RATIO),
      verdict(ratio <= MAX_RATIO),
    ],
  ];
}
