import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalSubjob } from '@millrace/client';
import { countWrongSquares } from './lib/compare-grid.mjs';
import { openGrid, SETTLE_MS } from './lib/open-grid.mjs';
import { openWatchedPage, readWatch } from './lib/open-watched-page.mjs';
import { readStatuses, startChildren, stopRun } from './lib/start-children.mjs';
import { formatMs, verdict } from './lib/values.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const CHILDREN = Number(process.env.BENCH_BUSY_CHILDREN ?? 5_000);
const CHANGES_PER_SECOND = 1_000;
const MAX_TASK_MS = 100;

/**
 * A run with very many changes of statuses, watched for some seconds, then stopped.
 * @param {import('./run.mjs').DashboardBench} bench
 * @returns {Promise<import('./run.mjs').Row[]>}
 */
export async function measureBusyRun({ url, account, browser, note }) {
  const of = await startChildren(account, CHILDREN, { isHeld: true });
  const opened = await openWatchedPage(browser);
  await openGrid(opened, url, of);
  await sleep(SETTLE_MS);
  const skipped = (await readWatch(opened)).longTasks.length;
  const rate = await changeStatuses(account, of);
  await stopRun(account, of.run);
  await opened.page.locator('#content header').getByText('Stopped').waitFor({ timeout: 120_000 });
  const tasks = (await readWatch(opened)).longTasks.slice(skipped);
  const long = tasks.filter((duration) => duration > MAX_TASK_MS);
  const wrong = await countWrongSquares(opened.page, await readStatuses(account, of));
  const worst = tasks.sort((a, b) => b - a).slice(0, 5);
  note(`longest tasks ${worst.map(formatMs).join(', ') || 'none'}`);
  const name = `run with ${rate.toFixed(0)} changes a second for ${SECONDS} s`;
  await opened.page.context().close();
  return [
    [`${name}: tasks over ${MAX_TASK_MS} ms`, String(long.length), '0', verdict(long.length === 0)],
    [`${name}: squares that differ from the API at its end`, String(wrong), '0', verdict(wrong === 0)],
  ];
}

/**
 * Changes of statuses at a rate: while the children of a run execute, all of them are stopped and retried in turn.
 * @param {import('../lib/account.mjs').Account} account
 * @param {import('./lib/start-children.mjs').ChildrenRun} of
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
