/**
 * How long a filter takes, in milliseconds.
 * @typedef {object} FilterTime
 * @property {string} filter
 * @property {number} shown from the key to the painted frame with the rows; the sum of the following four
 * @property {number} toRequest
 * @property {number} response
 * @property {number} render from the last byte of the response to rows in the document
 * @property {number} frame
 * @property {number} api median of the same request by `fetch`, with its JSON parsed
 */

/** The pause of a user between the last character and Enter. */
const PAUSE_MS = 250;
const API_REQUESTS = 5;

/**
 * Types a filter into the query bar of an open table, applies it, and waits for its rows.
 * @param {any} page
 * @param {string} filter
 * @returns {Promise<FilterTime>}
 */
export async function measureFilter(page, filter) {
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(filter);
  await page.waitForTimeout(PAUSE_MS);
  await page.evaluate(watchPage, filter);
  await page.keyboard.press('Enter');
  const { key, request, received, rows, painted, url } = await page.evaluate('filterTimes');
  const api = [];
  for (let sent = 0; sent < API_REQUESTS; sent += 1) api.push(await page.evaluate(timeFetch, url));
  return {
    filter,
    shown: painted - key,
    toRequest: request - key,
    response: received - request,
    render: rows - received,
    frame: painted - rows,
    api: api.sort((a, b) => a - b)[Math.floor(API_REQUESTS / 2)] ?? NaN,
  };
}

/**
 * Runs in the page, before the key. It makes a promise `filterTimes`, which resolves when the rows of the filter are painted.
 * @param {string} filter
 */
async function watchPage(filter) {
  const grid = document.querySelector('[role=grid]');
  if (!grid) throw new Error('The page shows no rows.');
  const path = `/api/datasets/${location.pathname.split('/').at(-1)}/rows`;
  const query = new URLSearchParams({ q: filter, select: 'host', page_size: '3', count: 'none' });
  const response = await fetch(`${path}?${query}`, { headers: { 'x-millrace-session': 'cookie' } });
  const { results } = await response.json();
  const expected = results.map((/** @type {{ host: string }} */ { host }) => host).join();
  const areRowsShown = () =>
    expected ===
    [...grid.querySelectorAll('[role=row]:not([aria-rowindex="1"]) [aria-colindex="2"]')]
      .slice(0, results.length)
      .map(({ textContent }) => textContent)
      .join();
  if (expected === '' || areRowsShown()) throw new Error(`The filter ${filter} changes nothing in the first rows.`);
  performance.clearResourceTimings();
  const findRequest = () =>
    performance.getEntriesByType('resource').find(({ name }) => {
      const url = new URL(name);
      return url.pathname === path && url.searchParams.get('q') === filter && url.searchParams.get('count') === 'none';
    });
  /** @type {any} */ (globalThis).filterTimes = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`The rows of ${filter} do not appear.`)), 20_000);
    let key = NaN;
    addEventListener('keydown', (event) => (key = event.timeStamp), { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (!areRowsShown()) return;
      const rows = performance.now();
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        // The message arrives after the frame is painted.
        port1.onmessage = () => {
          const painted = performance.now();
          const entry = /** @type {PerformanceResourceTiming} */ (findRequest());
          resolve({ key, rows, painted, request: entry.startTime, received: entry.responseEnd, url: entry.name });
        };
        port2.postMessage(undefined);
      });
    });
    observer.observe(grid, { childList: true, subtree: true, characterData: true });
  });
}

/**
 * Runs in the page.
 * @param {string} url
 */
async function timeFetch(url) {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { 'x-millrace-session': 'cookie' } });
  await response.json();
  return performance.now() - startedAt;
}
