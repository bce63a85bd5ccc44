import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceClient } from '../libs/client/dist/index.js';
import { formatTable } from '../scripts/lib/format-table.mjs';
import { findChromium } from '../scripts/lib/machine/find-chromium.mjs';
import { runMain } from '../scripts/lib/report.mjs';
import { loadFile } from './lib/live/load-file.mjs';
import { percentiles } from './lib/live/time-requests.mjs';
import { writeRows } from './lib/live/write-rows.mjs';
import { measureFilter } from './lib/page/measure-filter.mjs';

const { MILLRACE_URL = 'http://127.0.0.1:8080', BENCH_ROWS = '1000000', BENCH_ROUNDS = '2' } = process.env;
const GOAL = 1.3;

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

async function signUp() {
  const body = { email: `bench-${randomUUID()}@example.org`, password: randomUUID(), name: 'Bench' };
  const { access } = await new MillraceClient({ baseUrl: MILLRACE_URL }).sessions.signup(body);
  const { token } = await new MillraceClient({ baseUrl: MILLRACE_URL, token: access }).users.regenerateToken();
  return { ...body, token, client: new MillraceClient({ baseUrl: MILLRACE_URL, token }) };
}

/**
 * @param {Awaited<ReturnType<typeof signUp>>} account
 * @param {number} rows
 * @returns {Promise<string>} the id of a table with these rows
 */
async function makeTable({ client, token }, rows) {
  let space;
  while (!(space = (await client.spaces.list()).results[0]?.id)) await sleep(100);
  const solution = await client.solutions.create({ name: 'Bench', space });
  const { id } = await client.datasets.create({ name: 'hosts', solution: solution.id, primary_key: ['host'] });
  const folder = await mkdtemp(join(tmpdir(), 'millrace-filter-'));
  try {
    await writeRows(join(folder, 'rows.ndjson'), rows);
    await loadFile(`${MILLRACE_URL}/api`, token, id, join(folder, 'rows.ndjson'));
  } finally {
    await rm(folder, { recursive: true });
  }
  return id;
}

/**
 * @param {any} context of the browser
 * @param {Awaited<ReturnType<typeof signUp>>} account
 */
async function signIn(context, { email, password }) {
  const response = await context.request.post(`${MILLRACE_URL}/api/auth/login`, {
    data: { email, password },
    headers: { 'x-millrace-session': 'cookie', origin: new URL(MILLRACE_URL).origin },
  });
  if (!response.ok()) throw new Error(`The sign-in failed: ${await response.text()}`);
}

/**
 * The service creates indexes for conditions that are slow, and analyzes the table after the load.
 * @param {any} page
 */
async function warmUp(page) {
  for (let round = 0; round < 3; round += 1) {
    for (const filter of FILTERS) await measureFilter(page, filter);
    await sleep(5_000);
  }
}

const ms = (/** @type {number} */ value) => value.toFixed(1);

/** @param {import('./lib/page/measure-filter.mjs').FilterTime} time */
const formatTime = ({ filter, shown, api, toRequest, response, render, frame }) =>
  `${ms(shown).padStart(7)} ms, API ${ms(api).padStart(6)} ms (${[toRequest, response, render, frame].map(ms).join(' + ')}) ${filter}`;

/** @param {import('./lib/page/measure-filter.mjs').FilterTime[]} times */
function report(times) {
  const row = (/** @type {string} */ name, /** @type {number[]} */ values) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (/** @type {number} */ share) => sorted[Math.floor(sorted.length * share)] ?? NaN;
    return [name, ms(percentiles(values).p50), ms(at(0.95))];
  };
  const ratios = times.map(({ shown, api }) => shown / api);
  const { p50 } = percentiles(ratios);
  console.log(
    formatTable(
      [`${times.length} filters of ${BENCH_ROWS} rows`, 'median ms', 'p95 ms'],
      [
        row(
          'Key to the frame with the rows',
          times.map(({ shown }) => shown),
        ),
        row(
          '  Key to the request',
          times.map(({ toRequest }) => toRequest),
        ),
        row(
          '  Request to its last byte',
          times.map(({ response }) => response),
        ),
        row(
          '  Last byte to rows in the document',
          times.map(({ render }) => render),
        ),
        row(
          '  Document to the painted frame',
          times.map(({ frame }) => frame),
        ),
        row(
          'The same request by fetch',
          times.map(({ api }) => api),
        ),
        row(
          'Difference',
          times.map(({ shown, api }) => shown - api),
        ),
      ],
    ),
  );
  console.log(`\nRatio: ${p50.toFixed(2)} (goal: at most ${GOAL}). Load of the machine: ${loadavg()[0]?.toFixed(1)}.`);
  console.log('Enter applies a filter, without a pause. A frame takes up to 16.7 ms on a screen of 60 Hz.');
}

/**
 * Measures the way from the key that applies a filter to the frame that shows its rows, in the built dashboard of a running
 * system. It has a table of its own with a million rows. The floor is the same request by `fetch` in the same page.
 */
await runMain(async () => {
  const account = await signUp();
  const table = await makeTable(account, Number(BENCH_ROWS));
  // Playwright belongs to the dashboard, and is not installed beside the benchmarks.
  const { chromium } = createRequire(new URL('../apps/dashboard/package.json', import.meta.url))('@playwright/test');
  const executablePath = findChromium(process.env);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await signIn(context, account);
    const page = await context.newPage();
    await page.goto(`${MILLRACE_URL}/tables/${table}`);
    await page.locator('[role=row][aria-rowindex="2"]').waitFor();
    await warmUp(page);
    /** @type {import('./lib/page/measure-filter.mjs').FilterTime[]} */
    const times = [];
    for (let round = 0; round < Number(BENCH_ROUNDS); round += 1)
      for (const filter of FILTERS) {
        const time = await measureFilter(page, filter);
        process.stderr.write(`${formatTime(time)}\n`);
        times.push(time);
      }
    report(times);
  } finally {
    await browser.close();
  }
});
