import { setTimeout as sleep } from 'node:timers/promises';
import { readWatch } from './open-watched-page.mjs';

/** @typedef {import('./open-watched-page.mjs').WatchedPage} WatchedPage */

/** After this time a page has loaded what it shows, and the browser is idle. */
export const SETTLE_MS = 1_500;
const MAX_WAIT_MS = 30_000;

/**
 * Opens the grid of a group by its address, and waits until it is painted.
 * @param {WatchedPage} opened
 * @param {string} url
 * @param {import('./start-children.mjs').ChildrenRun} of
 * @returns {Promise<number>} milliseconds from the navigation to the frame with the grid
 */
export async function openGrid(opened, url, { run, group }) {
  await opened.page.goto(`${url}/runs/${run}?subjob=${group}&tab=children`);
  return (await waitForPaint(opened)).paintedAt;
}

/**
 * Opens the grid by a click on its step, in a page that shows the run.
 * @param {WatchedPage} opened
 * @param {string} url
 * @param {string} run
 * @returns {Promise<number>} milliseconds from the click to the frame with the grid
 */
export async function clickGrid(opened, url, run) {
  const { page } = opened;
  await page.goto(`${url}/runs/${run}`);
  const step = page.getByRole('treeitem', { name: /child/ });
  await step.waitFor();
  await sleep(SETTLE_MS);
  await step.click();
  const { paintedAt, clickedAt } = await waitForPaint(opened);
  return paintedAt - clickedAt;
}

/** @param {WatchedPage} opened */
async function waitForPaint(opened) {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await sleep(50)) {
    const { paintedAt, clickedAt } = await readWatch(opened);
    if (paintedAt !== null) return { paintedAt, clickedAt };
  }
  throw new Error(`The page painted no grid within ${MAX_WAIT_MS / 1000} s: ${opened.page.url()}`);
}
