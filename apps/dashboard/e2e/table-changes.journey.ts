import { expectAccessible } from './support/expect-accessible.js';
import { expect, test, type Account } from './support/test.js';

/** Makes a workflow whose run writes a row for each of its hosts, and binds it to a table with a key. */
async function makeScan({ client, space }: Account) {
  const solution = await client.solutions.create({ name: 'Findings', space });
  const { id: table } = await client.datasets.create({ name: 'hosts', solution: solution.id, primary_key: ['host'] });
  const { id: workflow } = await client.workflows.create(space, { name: 'Scan' });
  const source = 'for h in $1; do echo "{\\"host\\":\\"${h%:*}\\",\\"port\\":${h#*:}}"; done';
  await client.versions.save(workflow, {
    data: {
      primitiveNodes: { hosts: { type: 'STRING', label: 'hosts' } },
      nodes: { 'scan-1': { type: 'SCRIPT', script: { source }, inputs: { hosts: { type: 'STRING', order: 0 } } } },
      connections: [{ source: { id: 'output/hosts' }, destination: { id: 'input/scan-1/hosts' } }],
    },
  });
  await client.reportingNodes.create({ workflow, node_name: 'scan-1', dataset_id: table });
  const scan = async (hosts: string): Promise<string> => {
    const run = await client.workflows.run(workflow, { inputs: { hosts } });
    expect((await client.runs.wait(run.id)).status).toBe('COMPLETED');
    await expect
      .poll(async () => (await client.loads.list(table, { run: run.id })).results.map(({ status }) => status))
      .toEqual(['COMPLETED']);
    return run.id;
  };
  return { table, scan };
}

test('the changes of a run are shown, and a row leads to the subjob that wrote it', async ({
  signedIn: page,
  account,
}) => {
  const { table, scan } = await makeScan(account);
  const first = await scan('a:80 b:443 c:22');
  const second = await scan('a:80 b:8443 d:25');

  await page.goto(`/tables/${table}`);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByRole('tab', { name: 'New 1' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Gone 1' })).toBeVisible();
  await page.getByRole('tab', { name: 'Changed 1' }).click();
  const changed = page.getByRole('row').filter({ hasText: '8443' });
  await expect(changed.getByRole('deletion')).toHaveText('443');
  await expect(changed.getByRole('insertion')).toHaveText('8443');
  await expectAccessible(page);

  await changed.getByRole('button').click();
  const panel = page.getByRole('complementary', { name: /^Row/ });
  const step = panel.getByRole('link', { name: 'scan-1' });
  await expect(step).toHaveAttribute('href', new RegExp(`^/runs/${second}\\?subjob=\\d+$`));
  await expect(panel.getByRole('link', { name: `Run ${first}` })).toBeVisible();

  await page.getByLabel('Run whose changes are shown').selectOption({ value: first });
  await expect(page.getByRole('tab', { name: 'New 3' })).toBeVisible();
  await page.getByLabel('Run to compare with').selectOption({ value: second });
  await expect(page.getByRole('tab', { name: 'Gone 1' })).toBeVisible();
  await page.getByRole('tab', { name: 'Changed 1' }).click();
  await expect(page.getByRole('row').filter({ hasText: '8443' }).getByRole('insertion')).toHaveText('443');

  await page.getByRole('tab', { name: 'Loads' }).click();
  await expect(page.getByRole('region', { name: 'Loads' }).getByRole('row')).toHaveCount(3);
  await expectAccessible(page);

  // Rows of a file, one of which cannot be read.
  await page.getByRole('button', { name: 'Upload' }).click();
  const rows = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from('host,port\ne,8080\n,1\n') };
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Choose a file').setInputFiles(rows);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog.getByText('1 new row')).toBeVisible();
  await dialog.getByRole('button', { name: '1 row could not be read' }).click();
  await expect(page.getByRole('complementary', { name: 'Rejected rows' })).toContainText('Line 3');

  await page.getByRole('tab', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Actions of port' }).click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('tcp port');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('cell', { name: 'tcp port', exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.getByLabel('Column', { exact: true }).selectOption('tcp port');
  await page.getByRole('button', { name: '8443' }).click();
  await expect(page.getByRole('textbox', { name: 'Query' })).toHaveText('`tcp port` = 8443');
  await expect(page.getByRole('status').filter({ hasText: '1 row' })).toBeVisible();
});
