/**
 * @typedef {object} Watch
 * @property {number[]} longTasks durations of tasks of more than 50 ms, in milliseconds
 * @property {number} clickedAt when something was clicked last, by `performance.now()`
 * @property {number | null} paintedAt when the grid was painted first
 */

/** @typedef {{ page: import('@playwright/test').Page, devtools: import('@playwright/test').CDPSession }} WatchedPage */

/**
 * Opens a blank page that watches its long tasks, the last click and the first paint of a grid.
 * @param {import('./open-browser.mjs').SignedInBrowser} browser
 * @returns {Promise<WatchedPage>}
 */
export async function openWatchedPage(browser) {
  const page = await browser.newPage();
  await page.addInitScript(watchPage);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return { page, devtools };
}

/**
 * What the page has watched since it was loaded.
 * @param {WatchedPage} opened
 * @returns {Promise<Watch>}
 */
export const readWatch = ({ page }) =>
  page.evaluate(() => /** @type {{ benchWatch: Watch }} */ (/** @type {unknown} */ (window)).benchWatch);

/** Runs in the page, before its scripts. */
function watchPage() {
  /** @type {Watch} */
  const watch = { longTasks: [], clickedAt: 0, paintedAt: null };
  Object.assign(window, { benchWatch: watch });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  document.addEventListener('click', ({ timeStamp }) => (watch.clickedAt = timeStamp), true);
  const { prototype } = CanvasRenderingContext2D;
  const paint = /** @type {CanvasImageData['putImageData']} */ (Reflect.get(prototype, 'putImageData'));
  prototype.putImageData = new Proxy(paint, {
    apply: (target, context, args) => {
      Reflect.apply(target, context, args);
      // The frame with the picture is on screen when the next one begins.
      if (watch.paintedAt === null)
        requestAnimationFrame(() => requestAnimationFrame(() => (watch.paintedAt ??= performance.now())));
    },
  });
}

/**
 * Seconds of the page's main thread since it was opened.
 * @param {import('@playwright/test').CDPSession} devtools
 * @returns {Promise<{ script: number, tasks: number }>}
 */
export async function readCpu(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const valueOf = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
  return { script: valueOf('ScriptDuration'), tasks: valueOf('TaskDuration') };
}

/**
 * Bytes of the page's heap after a garbage collection.
 * @param {import('@playwright/test').CDPSession} devtools
 */
export async function readHeap(devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}
