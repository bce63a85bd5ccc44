import { countWrongSquares } from './lib/compare-grid.mjs';
import { clickGrid, openGrid } from './lib/open-grid.mjs';
import { openWatchedPage, readCpu } from './lib/open-watched-page.mjs';
import { readStatuses, startChildren, stopRun } from './lib/start-children.mjs';
import { formatMs, percentile, verdict } from './lib/values.mjs';

const CHILDREN = Number(process.env.BENCH_CHILDREN ?? 100_000);
const MAX_PAINT_MS = 150;
const MAX_UPDATE_MS = 16;
const PAINT_SAMPLES = 5;

/**
 * The work for the changes of a stop, when the stream reports every child that waits, and then the first paint of all children.
 * @param {import('./run.mjs').DashboardBench} bench
 * @returns {Promise<import('./run.mjs').Row[]>}
 */
export async function measureGrid({ url, account, browser, note }) {
  note(`starting ${CHILDREN} children`);
  const of = await startChildren(account, CHILDREN);
  const opened = await openWatchedPage(browser);
  await openGrid(opened, url, of);
  const changesOf = async () => (await account.client.runs.get(of.run)).last_change;
  const seqBefore = await changesOf();
  const before = await readCpu(opened.devtools);
  await stopRun(account, of.run);
  await opened.page.locator('#content header').getByText('Stopped').waitFor({ timeout: 120_000 });
  const after = await readCpu(opened.devtools);
  const changes = (await changesOf()) - seqBefore;
  const per1000 = (/** @type {'script' | 'tasks'} */ what) => (1000 * (after[what] - before[what])) / (changes / 1000);
  const wrong = await countWrongSquares(opened.page, await readStatuses(account, of));
  note(`${changes} changes; ${(after.script - before.script).toFixed(2)} s of script`);

  const clicks = [];
  const loads = [];
  for (let sample = 0; sample < PAINT_SAMPLES; sample += 1) {
    clicks.push(await clickGrid(opened, url, of.run));
    loads.push(await openGrid(opened, url, of));
  }
  const click = percentile(clicks, 0.5);
  note(`paints after a click ${clicks.map(formatMs).join(', ')}`);
  const name = `grid of ${CHILDREN.toLocaleString('en')} children`;
  await opened.page.context().close();
  return [
    [
      `${name}: click to paint, with its requests`,
      formatMs(click),
      `at most ${MAX_PAINT_MS} ms`,
      verdict(click <= MAX_PAINT_MS),
    ],
    [`${name}: opening its address to paint`, formatMs(percentile(loads, 0.5)), '', ''],
    [
      `${name}: script for 1,000 changed children, with the stream`,
      formatMs(per1000('script')),
      `at most ${MAX_UPDATE_MS} ms`,
      verdict(per1000('script') <= MAX_UPDATE_MS),
    ],
    [`${name}: all main thread work for 1,000 changed children`, formatMs(per1000('tasks')), '', ''],
    [`${name}: squares that differ from the API`, String(wrong), '0', verdict(wrong === 0)],
  ];
}
