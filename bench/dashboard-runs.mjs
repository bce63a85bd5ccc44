import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalSubjob } from '../libs/client/dist/index.js';
import { UserError, runMain } from '../scripts/lib/report.mjs';
import { countWrongSquares } from './lib/dashboard/compare-grid.mjs';
import { openBrowser, readCpu, readHeap } from './lib/dashboard/open-browser.mjs';
import { signUp } from './lib/dashboard/sign-up.mjs';
import { readStatuses, startChildren, stopRun } from './lib/dashboard/start-children.mjs';

/**
 * Measures the page of a large run in Chromium, against the built dashboard of a running system:
 *
 *   MILLRACE_URL=http://127.0.0.1:8080 node bench/dashboard-runs.mjs [grid] [busy] [memory]
 *
 * The system should have no rate limit (RATE_LIMIT_PER_MINUTE=0). All runs are real; nothing is mocked.
 */
const {
  MILLRACE_URL,
  BENCH_CHILDREN = '100000',
  BENCH_SECONDS = '20',
  BENCH_BUSY_CHILDREN = '5000',
  BENCH_MINUTES = '5',
} = process.env;
const CHILDREN = Number(BENCH_CHILDREN);
const SECONDS = Number(BENCH_SECONDS);
const BUSY_CHILDREN = Number(BENCH_BUSY_CHILDREN);
const MINUTES = Number(BENCH_MINUTES);

const MAX_PAINT_MS = 150;
const MAX_UPDATE_MS = 16;
const MAX_TASK_MS = 100;
/** Growth of the heap that is noise of the measurement, in MB a minute. */
const MAX_SLOPE = 0.5;
const PAINT_SAMPLES = 5;
const SETTLE_MS = 1_500;
const MAX_WAIT_MS = 30_000;
const CHANGES_PER_SECOND = 1_000;

/** @typedef {[what: string, value: string, goal: string, result: string]} Row */
/** @typedef {import('./lib/dashboard/sign-up.mjs').DashboardUser} DashboardUser */
/** @typedef {Awaited<ReturnType<typeof openBrowser>>} Opened */

const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
const ms = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const verdict = (/** @type {boolean} */ isMet) => (isMet ? 'met' : 'missed');
const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** @param {Opened} opened */
const readWatch = ({ page }) =>
  page.evaluate(
    () =>
      /** @type {{ benchWatch: import('./lib/dashboard/open-browser.mjs').Watch }} */ (/** @type {unknown} */ (window))
        .benchWatch,
  );

/**
 * Opens the grid of a group by its address, and waits until it is painted.
 * @param {Opened} opened
 * @param {string} url
 * @param {import('./lib/dashboard/start-children.mjs').ChildrenRun} of
 * @returns {Promise<number>} milliseconds from the navigation to the frame with the grid
 */
async function openGrid(opened, url, { run, group }) {
  await opened.page.goto(`${url}/runs/${run}?subjob=${group}&tab=children`);
  return (await waitForPaint(opened)).paintedAt;
}

/**
 * Opens the grid by a click on its step, in a page that shows the run.
 * @param {Opened} opened
 * @param {string} url
 * @param {string} run
 * @returns {Promise<number>} milliseconds from the click to the frame with the grid
 */
async function clickGrid(opened, url, run) {
  const { page } = opened;
  await page.goto(`${url}/runs/${run}`);
  const step = page.getByRole('treeitem', { name: /child/ });
  await step.waitFor();
  // The page has loaded what it shows, and the browser is idle.
  await sleep(SETTLE_MS);
  await step.click();
  const { paintedAt, clickedAt } = await waitForPaint(opened);
  return paintedAt - clickedAt;
}

/** @param {Opened} opened */
async function waitForPaint(opened) {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await sleep(50)) {
    const { paintedAt, clickedAt } = await readWatch(opened);
    if (paintedAt !== null) return { paintedAt, clickedAt };
  }
  throw new Error(`The page painted no grid within ${MAX_WAIT_MS / 1000} s: ${opened.page.url()}`);
}

/**
 * The work for the changes of a stop, when the stream reports every child that waits, and then the first paint of all children.
 * @param {DashboardUser} user
 * @returns {Promise<Row[]>}
 */
async function benchGrid(user) {
  note(`grid: starting ${CHILDREN} children`);
  const of = await startChildren(user, CHILDREN);
  const opened = await openBrowser(user);
  try {
    await openGrid(opened, user.url, of);
    const changesOf = async () => (await user.client.runs.get(of.run)).last_change;
    const seqBefore = await changesOf();
    const before = await readCpu(opened.devtools);
    await stopRun(user, of.run);
    await opened.page.locator('#content header').getByText('Stopped').waitFor({ timeout: 120_000 });
    const after = await readCpu(opened.devtools);
    const changes = (await changesOf()) - seqBefore;
    const per1000 = (/** @type {'script' | 'tasks'} */ what) =>
      (1000 * (after[what] - before[what])) / (changes / 1000);
    const wrong = await countWrongSquares(opened.page, await readStatuses(user, of));
    note(`grid: ${changes} changes; ${(after.script - before.script).toFixed(2)} s of script`);

    const clicks = [];
    const loads = [];
    for (let sample = 0; sample < PAINT_SAMPLES; sample += 1) {
      clicks.push(await clickGrid(opened, user.url, of.run));
      loads.push(await openGrid(opened, user.url, of));
    }
    const click = median(clicks);
    note(`grid: paints after a click ${clicks.map(ms).join(', ')}`);
    const name = `grid of ${CHILDREN.toLocaleString('en')} children`;
    return [
      [
        `${name}: click to paint, with its requests`,
        ms(click),
        `at most ${MAX_PAINT_MS} ms`,
        verdict(click <= MAX_PAINT_MS),
      ],
      [`${name}: opening its address to paint`, ms(median(loads)), '', ''],
      [
        `${name}: script for 1,000 changed children, with the stream`,
        ms(per1000('script')),
        `at most ${MAX_UPDATE_MS} ms`,
        verdict(per1000('script') <= MAX_UPDATE_MS),
      ],
      [`${name}: all main thread work for 1,000 changed children`, ms(per1000('tasks')), '', ''],
      [`${name}: squares that differ from the API`, String(wrong), '0', verdict(wrong === 0)],
    ];
  } finally {
    await opened.browser.close();
  }
}

/**
 * Changes of statuses at a rate: while the children of a run execute, all of them are stopped and retried in turn.
 * @param {DashboardUser} user
 * @param {import('./lib/dashboard/start-children.mjs').ChildrenRun} of
 * @returns {Promise<number>} changes a second
 */
async function changeStatuses({ client }, { run, group }) {
  const first = (await client.runs.get(run)).last_change;
  const startedAt = Date.now();
  const seconds = () => (Date.now() - startedAt) / 1000;
  let changes = 0;
  for (let isStop = true; seconds() < SECONDS; isStop = !isStop) {
    await client.subjobs[isStop ? 'stop' : 'retry'](run, group);
    // A group can be retried when its processes have ended.
    do {
      await sleep(100);
      changes = (await client.runs.get(run)).last_change - first;
    } while (
      (isStop && !isFinalSubjob((await client.subjobs.get(run, group)).status)) ||
      (seconds() < SECONDS && changes / seconds() > CHANGES_PER_SECOND)
    );
  }
  return changes / seconds();
}

/**
 * A run with very many changes of statuses, watched for some seconds, then stopped.
 * @param {DashboardUser} user
 * @returns {Promise<Row[]>}
 */
async function benchBusy(user) {
  const of = await startChildren(user, BUSY_CHILDREN, { isHeld: true });
  const opened = await openBrowser(user);
  try {
    await openGrid(opened, user.url, of);
    await sleep(SETTLE_MS);
    const skipped = (await readWatch(opened)).longTasks.length;
    const rate = await changeStatuses(user, of);
    await stopRun(user, of.run);
    await opened.page.locator('#content header').getByText('Stopped').waitFor({ timeout: 120_000 });
    const tasks = (await readWatch(opened)).longTasks.slice(skipped);
    const long = tasks.filter((duration) => duration > MAX_TASK_MS);
    const wrong = await countWrongSquares(opened.page, await readStatuses(user, of));
    const worst = tasks.sort((a, b) => b - a).slice(0, 5);
    note(`busy: longest tasks ${worst.map(ms).join(', ') || 'none'}`);
    const name = `run with ${rate.toFixed(0)} changes a second for ${SECONDS} s`;
    return [
      [`${name}: tasks over ${MAX_TASK_MS} ms`, String(long.length), '0', verdict(long.length === 0)],
      [`${name}: squares that differ from the API at its end`, String(wrong), '0', verdict(wrong === 0)],
    ];
  } finally {
    await opened.browser.close();
  }
}

/**
 * The heap of the page of a run that is under way all the time.
 * @param {DashboardUser} user
 * @returns {Promise<Row[]>}
 */
async function benchMemory(user) {
  // More than a machine with two cores finishes in that time; the rest is stopped.
  const children = Math.min(1_000_000, Math.ceil((MINUTES + 2) * 60 * 400));
  note(`memory: ${MINUTES} minutes of a run with ${children} children`);
  const of = await startChildren(user, children);
  const opened = await openBrowser(user);
  try {
    await openGrid(opened, user.url, of);
    /** @type {number[]} */
    const heaps = [];
    for (let minute = 0; minute <= MINUTES; minute += 1) {
      if (minute > 0) await sleep(60_000);
      heaps.push((await readHeap(opened.devtools)) / 1e6);
      const { last_change: seq, finished } = await user.client.runs.get(of.run);
      note(
        `memory: minute ${minute}: ${heaps.at(-1)?.toFixed(1)} MB after ${seq} changes${finished ? '; the run has ended' : ''}`,
      );
    }
    // The first minute fills caches.
    const slope = slopeOf(MINUTES > 2 ? heaps.slice(1) : heaps);
    if (!(await user.client.runs.get(of.run)).finished) await stopRun(user, of.run);
    return [
      [
        `heap in ${MINUTES} minutes of a busy run: ${heaps.map((heap) => heap.toFixed(1)).join(', ')} MB`,
        `${slope >= 0 ? '+' : ''}${slope.toFixed(2)} MB a minute`,
        `at most ${MAX_SLOPE} MB a minute`,
        verdict(slope <= MAX_SLOPE),
      ],
    ];
  } finally {
    await opened.browser.close();
  }
}

/** The slope of the line that fits values at 0, 1, 2, … best. @param {number[]} values */
function slopeOf(values) {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}

/** @param {Row[]} rows */
function renderRows(rows) {
  const table = [['What', 'Value', 'Goal', 'Result'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = table;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

const BENCHES = { grid: benchGrid, busy: benchBusy, memory: benchMemory };

await runMain(async () => {
  if (!MILLRACE_URL) throw new UserError('Set MILLRACE_URL to a running system, such as http://127.0.0.1:8080.', 2);
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown) throw new UserError(`Unknown workload ${unknown}; there are ${Object.keys(BENCHES).join(', ')}.`, 2);
  const user = await signUp(MILLRACE_URL.replace(/\/$/, ''));
  /** @type {Row[]} */
  const rows = [];
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length === 0 || names.includes(name)) rows.push(...(await bench(user)));
  }
  console.log(renderRows(rows));
});
