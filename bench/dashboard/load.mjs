import { percentile, verdict } from './lib/values.mjs';

/** Each page with the most kilobytes that its scripts and styles may have, compressed. */
const PAGES = { '/': 200, '/workflows': Infinity, '/runs': Infinity, '/tables': Infinity, '/library': Infinity };
const LOADS = 5;
const CPU_SLOWDOWN = 4;
const GOAL_SECONDS = 2.5;
/** A page is interactive after the last long task (50 ms or more) that begins within this time. */
const QUIET_AFTER_MS = 3_000;

/**
 * Opens pages of the dashboard with a cold cache and a slowed processor. A page is interactive after its last long task.
 * @param {import('./run.mjs').DashboardBench} bench
 * @returns {Promise<import('./run.mjs').Row[]>}
 */
export async function measureLoad({ url, browser, note }) {
  /** @type {import('./run.mjs').Row[]} */
  const rows = [];
  for (const [path, maxKilobytes] of Object.entries(PAGES)) {
    const loads = [];
    for (let load = 0; load < LOADS; load++) loads.push(await loadCold(browser, `${url}${path}`));
    const medianOf = (/** @type {'paintMs' | 'interactiveMs'} */ what) =>
      percentile(
        loads.map((load) => load[what]),
        0.5,
      ) / 1000;
    const seconds = medianOf('interactiveMs');
    const kilobytes = Math.max(...loads.map((load) => load.bytes)) / 1000;
    note(`${path}: interactive after ${seconds.toFixed(2)} s, ${kilobytes.toFixed(0)} kB of scripts and styles`);
    const size = maxKilobytes === Infinity ? '' : `, ${maxKilobytes} kB`;
    rows.push([
      `${path} at 1/${CPU_SLOWDOWN} of the speed: interactive; scripts and styles`,
      `${seconds.toFixed(2)} s (first paint ${medianOf('paintMs').toFixed(2)} s); ${kilobytes.toFixed(0)} kB`,
      `${GOAL_SECONDS} s${size}`,
      verdict(seconds < GOAL_SECONDS && kilobytes <= maxKilobytes),
    ]);
  }
  return rows;
}

/**
 * @param {import('./lib/open-browser.mjs').SignedInBrowser} browser
 * @param {string} url
 */
async function loadCold(browser, url) {
  const page = await browser.newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await cdp.send('Network.enable');
  await cdp.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } });
  /** @type {Map<string, string>} */
  const urls = new Map();
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (/\.(js|css)$/.test(urls.get(requestId) ?? '')) bytes += encodedDataLength;
  });
  await page.addInitScript(recordLongTasks);
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(QUIET_AFTER_MS);
  const { paintMs, interactiveMs } = await page.evaluate(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    const { longTaskEnds = [] } = /** @type {{ longTaskEnds?: number[] }} */ (globalThis);
    return { paintMs: paint, interactiveMs: Math.max(paint, ...longTaskEnds) };
  });
  await page.context().close();
  return { bytes, paintMs, interactiveMs };
}

/** Runs in the page, before its scripts. */
function recordLongTasks() {
  /** @type {number[]} */
  const ends = [];
  Object.assign(globalThis, { longTaskEnds: ends });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) ends.push(startTime + duration);
  }).observe({ type: 'longtask', buffered: true });
}
