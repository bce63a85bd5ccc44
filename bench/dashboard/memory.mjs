import { setTimeout as sleep } from 'node:timers/promises';
import { openGrid } from './lib/open-grid.mjs';
import { openWatchedPage, readHeap } from './lib/open-watched-page.mjs';
import { startChildren, stopRun } from './lib/start-children.mjs';
import { verdict } from './lib/values.mjs';

const MINUTES = Number(process.env.BENCH_MINUTES ?? 5);
/** How long a child takes. More than 0 leaves the processor to others in a measurement of an hour. */
const CHILD_SECONDS = Number(process.env.BENCH_CHILD_SECONDS ?? 0);
const MAX_CHILDREN_PER_SECOND = 400;
const PARALLELISM = 20;
/** Growth of the heap that is noise of the measurement, in MB a minute. */
const MAX_SLOPE = 0.5;

/**
 * The heap of the page of a run that is under way all the time.
 * @param {import('./run.mjs').DashboardBench} bench
 * @returns {Promise<import('./run.mjs').Row[]>}
 */
export async function measureMemory({ url, account, browser, note }) {
  // More than a machine with two cores finishes in that time; the rest is stopped.
  const perSecond = CHILD_SECONDS > 0 ? PARALLELISM / CHILD_SECONDS : MAX_CHILDREN_PER_SECOND;
  const children = Math.min(1_000_000, Math.ceil((MINUTES + 2) * 60 * perSecond));
  note(`${MINUTES} minutes of a run with ${children} children`);
  const of = await startChildren(account, children, { seconds: CHILD_SECONDS, parallelism: PARALLELISM });
  const opened = await openWatchedPage(browser);
  await openGrid(opened, url, of);
  /** @type {number[]} */
  const heaps = [];
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    if (minute > 0) await sleep(60_000);
    heaps.push((await readHeap(opened.devtools)) / 1e6);
    const { last_change: seq, finished } = await account.client.runs.get(of.run);
    note(
      `minute ${minute}: ${heaps.at(-1)?.toFixed(1)} MB after ${seq} changes${finished ? '; the run has ended' : ''}`,
    );
  }
  // The first minute fills caches.
  const slope = slopeOf(MINUTES > 2 ? heaps.slice(1) : heaps);
  if (!(await account.client.runs.get(of.run)).finished) await stopRun(account, of.run);
  await opened.page.context().close();
  return [
    [
      `heap in ${MINUTES} minutes of a busy run: ${heaps.map((heap) => heap.toFixed(1)).join(', ')} MB`,
      `${slope >= 0 ? '+' : ''}${slope.toFixed(2)} MB a minute`,
      `at most ${MAX_SLOPE} MB a minute`,
      verdict(slope <= MAX_SLOPE),
    ],
  ];
}

/** The slope of the line that fits values at 0, 1, 2, … best. @param {number[]} values */
function slopeOf(values) {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}
