import { expectAccessible } from './support/expect-accessible.js';
import { startRun } from './support/start-run.js';
import { expect, test } from './support/test.js';

const HOSTS = Array.from({ length: 1000 }, (_, index) => `host-${index + 1}.example.org`).join('\n');

/** Fails for three hosts while the parameter `broken` is `yes`. */
const PROBE = `case "$2 $1" in
  "yes host-7."*|"yes host-512."*|"yes host-900."*) echo "no route to $1" >&2; exit 4 ;;
esac
echo "$1 is up"`;

test('three of 1,000 children fail; their log is two clicks away, and a retry completes the run', async ({
  account,
  signedIn: page,
}) => {
  await account.client.files.upload('hosts.txt', new Blob([HOSTS]));
  const run = await startRun(account, {
    name: 'Probe all hosts',
    inputs: { 'file-1': { type: 'FILE', label: 'hosts', value: 'millrace://file/hosts.txt' } },
    nodes: {
      'probe-1': {
        ...{ type: 'SCRIPT', distribution: { input: 'host', mode: 'line' }, script: { source: PROBE } },
        inputs: { host: { type: 'STRING', order: 1 }, broken: { type: 'STRING', order: 2, value: 'yes' } },
      },
      'count-1': {
        type: 'SCRIPT',
        meta: { label: 'hosts up' },
        script: { source: 'cat in/probe-1/*/output.txt | wc -l' },
      },
    },
    connections: [
      { from: 'file-1/output', to: 'probe-1/host' },
      { from: 'probe-1/folder', to: 'count-1/folder' },
    ],
  });
  const header = page.locator('#content header');

  await page.goto('/runs');
  await expect(page.getByRole('row', { name: /Probe all hosts/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /Probe all hosts #/ }).click();
  await expect(header.getByText('Failed', { exact: true })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(/exit code 4: no route to/).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Log of host-7.example.org' }).click();
  await expect(page.getByRole('region', { name: 'Log' })).toContainText('no route to host-7.example.org');
  await expect(page).toHaveURL(/tab=logs/);
  await expectAccessible(page);

  await page.getByRole('treeitem', { name: /probe/ }).click();
  await expect(page.getByRole('button', { name: 'Failed 3' })).toBeVisible();
  await page.getByRole('listbox', { name: '1,000 children of probe' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/^Child 2: succeeded, .*host-2\.example\.org$/)).toBeVisible();
  await page.keyboard.press('Shift+End');
  await expect(page.getByText('999 children selected')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Failed 3' }).click();
  await page.getByRole('listbox', { name: '3 children of probe' }).focus();
  await page.keyboard.press('Control+a');

  // The cause is corrected, and only the three run again.
  await account.client.parameters.set(run.id, { nodes: { 'probe-1': { broken: 'no' } } });
  await page.getByRole('button', { name: 'Run 3 again' }).click();
  await expect(page.getByRole('dialog')).toContainText('Children 7, 512, 900.');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await expect(header.getByText('Completed', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('1,001 of 1,001 done')).toBeVisible();
  await page.getByRole('button', { name: 'Close the step' }).click();
  await page.getByRole('button', { name: /hosts up output.txt/ }).click();
  await expect(page.getByText('1000', { exact: true })).toBeVisible();
});
