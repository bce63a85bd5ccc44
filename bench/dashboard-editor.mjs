import { formatTable } from '../scripts/lib/format-table.mjs';
import { runMain } from '../scripts/lib/report.mjs';
import { createWorkflow, signUp } from './lib/account.mjs';
import { openBrowser } from './lib/browser.mjs';
import { openGraph, pan, typeInScript, zoomAround, zoomTo } from './lib/editor/drive-editor.mjs';
import { makeGraph } from './lib/editor/make-graph.mjs';
import { traceFrames } from './lib/editor/trace-frames.mjs';
import { median } from './lib/measure.mjs';

const { MILLRACE_URL = 'http://127.0.0.1:8080', BENCH_NODES = '5000', BENCH_EDGES = '20000' } = process.env;
const ZOOMS = [1, 0.5, 0.25];
const LOADS = 5;
const STEPS = 120;
const KEYS = 40;
const GOALS = { scriptingMs: 8, paintMs: 1_500, keyMs: 50 };

/** @typedef {[what: string, value: string, goal: string, result: string]} Row */

/**
 * @param {number[]} values
 * @param {number} share
 */
const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN;
const note = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
const ms = (/** @type {number} */ value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const verdict = (/** @type {number} */ value, /** @type {number} */ goal) => (value <= goal ? 'met' : 'missed');

/**
 * @param {import('./lib/browser.mjs').SignedInBrowser} browser
 * @param {string} url
 * @returns {Promise<Row[]>}
 */
async function measurePaint(browser, url) {
  const [cold, warm] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let load = 0; load < LOADS; load++) {
    const page = await browser.newPage();
    cold.push(await openGraph(page, url));
    warm.push(await openGraph(page, url));
    note(`load ${load + 1} of ${LOADS}: ${cold.at(-1)?.toFixed(0)} ms cold, ${warm.at(-1)?.toFixed(0)} ms warm`);
    await page.context().close();
  }
  const row = (/** @type {string} */ cache, /** @type {number[]} */ times) =>
    /** @type {Row} */ ([
      `first paint, ${cache} cache`,
      `${ms(median(times))} (at most ${ms(Math.max(...times))})`,
      ms(GOALS.paintMs),
      verdict(median(times), GOALS.paintMs),
    ]);
  return [row('cold', cold), row('warm', warm)];
}

/**
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<Row[]>}
 */
async function measureMovement(page) {
  /** @type {Row[]} */
  const rows = [];
  for (const zoom of ZOOMS)
    for (const [what, move] of /** @type {const} */ ([
      ['pan', pan],
      ['zoom', zoomAround],
    ])) {
      await zoomTo(page, zoom);
      const { scripting, seconds } = await traceFrames(page, () => move(page, STEPS));
      note(`${what} at ${zoom}: ${scripting.length} frames in ${seconds.toFixed(1)} s`);
      const p95 = percentile(scripting, 0.95);
      const rate = scripting.length / seconds;
      const value = `${ms(p95)} (median ${ms(percentile(scripting, 0.5))}, ${rate.toFixed(0)} frames/s)`;
      rows.push([`${what} at ${zoom}, scripting`, value, ms(GOALS.scriptingMs), verdict(p95, GOALS.scriptingMs)]);
    }
  return rows;
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @returns {Promise<Row>}
 */
async function measureTyping(page, url) {
  await openGraph(page, `${url}?node=step-${Math.floor(Number(BENCH_NODES) / 2)}`);
  const times = await typeInScript(page, KEYS);
  const p95 = percentile(times, 0.95);
  const value = `${ms(p95)} (median ${ms(percentile(times, 0.5))}, at most ${ms(Math.max(...times))})`;
  return ['keystroke in a script to paint', value, ms(GOALS.keyMs), verdict(p95, GOALS.keyMs)];
}

/**
 * Measures the editor with a large workflow in Chromium, against the built dashboard of a running system:
 *
 *   MILLRACE_URL=http://127.0.0.1:8080 node bench/dashboard-editor.mjs
 *
 * Frames are compared at the 95th percentile, and first paints by their median. BENCH_NODES and BENCH_EDGES change the size.
 */
await runMain(async () => {
  const account = await signUp(MILLRACE_URL);
  const id = await createWorkflow(account, 'Large', makeGraph(Number(BENCH_NODES), Number(BENCH_EDGES)));
  const url = `${MILLRACE_URL}/workflows/${id}`;
  const browser = await openBrowser(MILLRACE_URL, account);
  try {
    const paint = await measurePaint(browser, url);
    const page = await browser.newPage();
    await openGraph(page, url);
    const rows = [...paint, ...(await measureMovement(page)), await measureTyping(page, url)];
    console.log(formatTable(['What', '95th percentile or median', 'Goal', 'Result'], rows));
  } finally {
    await browser.close();
  }
});
