import { expectAccessible } from './support/expect-accessible.js';
import { startRun } from './support/start-run.js';
import { expect, test } from './support/test.js';

test('a run is stopped, repeated with another input, and compared with its repetition', async ({
  account,
  signedIn: page,
}) => {
  const run = await startRun(account, {
    name: 'Wait a while',
    inputs: { 'string-1': { type: 'STRING', label: 'seconds', value: '45' } },
    nodes: {
      'wait-1': {
        ...{ type: 'SCRIPT', meta: { label: 'answer' }, script: { source: 'sleep "$1"; echo "waited $1 s"' } },
        inputs: { seconds: { type: 'STRING', order: 1 } },
      },
    },
    connections: [{ from: 'string-1/output', to: 'wait-1/seconds' }],
  });
  const header = page.locator('#content header');

  await page.goto(`/runs/${run.id}`);
  await expect(header.getByText('Running')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(header.getByText('Stopped')).toBeVisible({ timeout: 30_000 });

  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByLabel('seconds').fill('0');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(header.getByText('Completed')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /answer output.txt/ }).click();
  await expect(page.getByText('waited 0 s')).toBeVisible();

  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Compare with another run' }).click();
  await page.getByRole('checkbox', { name: `Compare run ${run.id}`, exact: true }).check();
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Compare #/ }).click();
  await expect(page.getByRole('row', { name: /Status/ })).toContainText(/Stopped.*Completed/);
  await expect(page.getByRole('row', { name: /seconds/ })).toContainText(/45.*0/);
  await expectAccessible(page);
  await page.getByRole('tab', { name: /Steps/ }).click();
  await expect(page.getByRole('row', { name: /answer/ })).toBeVisible();
  await page.getByRole('tab', { name: /Outputs/ }).click();
  await expect(page.getByText('Only in the second')).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByRole('row', { name: /answer/ })).toBeVisible();
});
