import { expectAccessible } from './support/expect-accessible.js';
import { startRun } from './support/start-run.js';
import { expect, test } from './support/test.js';

const TALK = 'for line in $(seq 1 40); do printf "\\033[32mline %d\\033[0m\\n" "$line"; sleep 0.25; done';

test(
  'a run is watched live, and catches up after the connection was cut',
  { tag: '@once' },
  async ({ account, signedIn: page, context, problems }) => {
    const run = await startRun(account, {
      name: 'Talk',
      nodes: {
        'talk-1': { type: 'SCRIPT', script: { source: TALK } },
        'count-1': { type: 'SCRIPT', meta: { label: 'lines' }, script: { source: 'wc -l < in/talk-1/output.txt' } },
      },
      connections: [{ from: 'talk-1/file', to: 'count-1/file' }],
    });
    const header = page.locator('#content header');
    const log = page.getByRole('region', { name: 'Log' });

    await page.goto(`/runs/${run.id}`);
    await expect(header.getByText('Running')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('treeitem', { name: /talk/ }).click();
    await page.getByRole('tab', { name: 'Logs' }).click();
    await expect(log).toContainText('line 3');

    problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_CONNECTION/);
    await context.setOffline(true);
    // Streams that are open stay open. A page that was hidden opens them again.
    await page.evaluate(() => {
      for (const state of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }
    });
    await expect(page.getByText('The server does not respond.')).toBeVisible();
    await expect
      .poll(async () => (await account.client.runs.get(run.id)).status, { timeout: 60_000 })
      .toBe('COMPLETED');
    await expect(header.getByText('Running')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('The server does not respond.')).toBeHidden();

    await expect(header.getByText('Completed')).toBeVisible({ timeout: 30_000 });
    await expect(log).toContainText('line 40');
    await expect(page.getByText(/^40 lines/)).toBeVisible();
    // Not earlier: axe scrolls, and a log that was scrolled no longer follows.
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await expect(page.getByRole('application', { name: /Graph of run/ })).toBeVisible();
    await expectAccessible(page);
  },
);
