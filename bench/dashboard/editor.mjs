import { createWorkflow } from '../lib/account.mjs';
import { openGraph, pan, typeInScript, zoomAround, zoomTo } from './lib/drive-editor.mjs';
import { makeGraph } from './lib/make-graph.mjs';
import { traceFrames } from './lib/trace-frames.mjs';
import { formatMs, percentile, verdict } from './lib/values.mjs';

const NODES = Number(process.env.BENCH_NODES ?? 5_000);
const EDGES = Number(process.env.BENCH_EDGES ?? 20_000);
const ZOOMS = [1, 0.5, 0.25];
const LOADS = 5;
const STEPS = 120;
const KEYS = 40;
const GOALS = { scriptingMs: 8, paintMs: 1_500, keyMs: 50 };

/** @typedef {import('./run.mjs').Row} Row */
/** @typedef {import('./run.mjs').DashboardBench['note']} Note */

/**
 * @param {import('./lib/open-browser.mjs').SignedInBrowser} browser
 * @param {string} url
 * @param {Note} note
 * @returns {Promise<Row[]>}
 */
async function measurePaint(browser, url, note) {
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
      `${formatMs(percentile(times, 0.5))} (at most ${formatMs(Math.max(...times))})`,
      formatMs(GOALS.paintMs),
      verdict(percentile(times, 0.5) <= GOALS.paintMs),
    ]);
  return [row('cold', cold), row('warm', warm)];
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {Note} note
 * @returns {Promise<Row[]>}
 */
async function measureMovement(page, note) {
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
      const value = `${formatMs(p95)} (median ${formatMs(percentile(scripting, 0.5))}, ${rate.toFixed(0)} frames/s)`;
      rows.push([
        `${what} at ${zoom}, scripting`,
        value,
        formatMs(GOALS.scriptingMs),
        verdict(p95 <= GOALS.scriptingMs),
      ]);
    }
  return rows;
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @returns {Promise<Row>}
 */
async function measureTyping(page, url) {
  await openGraph(page, `${url}?node=step-${Math.floor(NODES / 2)}`);
  const times = await typeInScript(page, KEYS);
  const p95 = percentile(times, 0.95);
  const value = `${formatMs(p95)} (median ${formatMs(percentile(times, 0.5))}, at most ${formatMs(Math.max(...times))})`;
  return ['keystroke in a script to paint', value, formatMs(GOALS.keyMs), verdict(p95 <= GOALS.keyMs)];
}

/**
 * The editor with a large workflow: first paints by their median, frames at the 95th percentile.
 * @param {import('./run.mjs').DashboardBench} bench
 * @returns {Promise<Row[]>}
 */
export async function measureEditor({ url, account, browser, note }) {
  const id = await createWorkflow(account, 'Large', makeGraph(NODES, EDGES));
  const address = `${url}/workflows/${id}`;
  const paint = await measurePaint(browser, address, note);
  const page = await browser.newPage();
  await openGraph(page, address);
  const rows = [...paint, ...(await measureMovement(page, note)), await measureTyping(page, address)];
  await page.context().close();
  return rows;
}
