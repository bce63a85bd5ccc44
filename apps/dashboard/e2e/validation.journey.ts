import { expectAccessible } from './support/expect-accessible.js';
import { graphOf, nodeOf, openEditor } from './support/open-editor.js';
import { expect, test } from './support/test.js';

test('a problem is found, explained beside its field, and fixed', async ({ signedIn: page, account }) => {
  const workflow = await account.client.workflows.create(account.space, { name: 'With a problem' });
  await account.client.versions.save(workflow.id, {
    data: {
      nodes: {
        'scan-1': { type: 'SCRIPT', script: { source: 'echo 1' }, meta: { coordinates: { x: 0, y: 0 } } },
        'report-1': { type: 'SCRIPT', script: { source: 'cat in/*/*' }, meta: { coordinates: { x: 300, y: 0 } } },
      },
      connections: [{ source: { id: 'output/scan-1/file' }, destination: { id: 'input/report-1/file/scan-1' } }],
    },
  });
  await openEditor(page, workflow.id);
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible();
  await nodeOf(page, 'report-1').click();
  const condition = page.getByLabel('Runs only if');
  await condition.fill('nodes.scna-1.lines > 0');
  await expect(page.getByRole('button', { name: '1 error' })).toBeVisible();
  await expect(condition).toHaveAttribute('aria-invalid', 'true');

  await graphOf(page).click({ position: { x: 20, y: 20 } });
  await page.getByRole('button', { name: '1 error' }).click();
  await page.getByRole('button', { name: /"scna-1" does not exist/ }).click();
  await expect(page.getByRole('heading', { name: 'report-1' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('region', { name: 'Problems' }).getByRole('button', { name: 'Use “scan-1”' }).click();
  await expect(condition).toHaveValue('nodes.scan-1.lines > 0');
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible();

  // The same problem has a line in the YAML.
  await page.getByRole('button', { name: 'YAML' }).click();
  await expect(page.getByLabel('Workflow as YAML')).toContainText('when: nodes.scan-1.lines > 0');
});

test('a number field with a text that is no number keeps its value', async ({ signedIn: page, account }) => {
  const workflow = await account.client.workflows.create(account.space, { name: 'With retries' });
  await account.client.versions.save(workflow.id, {
    data: {
      nodes: {
        'scan-1': {
          ...{ type: 'SCRIPT', script: { source: 'echo 1' }, retries: 3, meta: { coordinates: { x: 0, y: 0 } } },
        },
      },
      connections: [],
    },
  });
  await openEditor(page, workflow.id);
  await nodeOf(page, 'scan-1').click();
  const retries = page.getByRole('textbox', { name: 'Retries' });
  await expect(retries).toHaveValue('3');
  await retries.press('ControlOrMeta+a');
  await retries.pressSequentially('5.000');
  await expect(retries).toHaveValue('5.000');
  await expect(retries).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'YAML' }).click();
  await expect(page.getByLabel('Workflow as YAML')).toContainText('retries: 3');
});
