import { expectAccessible } from './support/expect-accessible.js';
import { connectByMouse, nodeOf, saveVersion } from './support/open-editor.js';
import { expect, test } from './support/test.js';

const MODULE_FILE = `name: shout
description: Writes a text in capitals
category: Text
script_type: bash
script: tr a-z A-Z < in/file/* > out/output.txt
inputs:
  file: { type: file, required: true, description: The text }
help: |
  Works on **ASCII** letters only.
`;

const WORKFLOW = `
name: Loud words
workflow:
  nodes:
    words-1: { type: SCRIPT, script: { source: "echo hello > out/output.txt" } }
`;

test('a module is imported and used, and its workflow is published and copied', async ({
  signedIn: page,
  account: { client, space },
}) => {
  await client.workflows.import({ yaml: WORKFLOW }, { query: { space } });

  await page.goto('/library');
  await page.getByRole('button', { name: 'Add a module' }).click();
  await page.getByLabel('Module file (YAML)').fill(MODULE_FILE);
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('heading', { name: 'shout', level: 1 })).toBeVisible();
  await expect(page.getByText('Works on ASCII letters only.').locator('strong')).toHaveText('ASCII');
  await expect(page.getByRole('rowheader', { name: 'file required' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Library' }).click();
  await page.getByRole('searchbox', { name: 'Search modules' }).fill('capitals');
  await expect(page.getByRole('link', { name: 'csv-join' })).toBeHidden();
  await page.getByRole('link', { name: 'shout' }).click();

  await page.getByRole('button', { name: 'Use in a workflow' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Loud words/ })
    .click();
  await expect(nodeOf(page, 'shout-1')).toBeVisible();
  await connectByMouse(page, ['words-1', 'file'], ['shout-1', 'file']);
  await saveVersion(page, 2);

  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Actions of version 2' }).click();
  await page.getByRole('menuitem', { name: 'Publish to the library' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Frequent words');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published “Frequent words” to the library').first()).toBeVisible();

  await page.goto('/library?tab=workflows');
  await page.getByRole('link', { name: 'Frequent words' }).click();
  await expect(page.getByRole('rowheader', { name: /^shout/ })).toBeVisible();
  await expect(page.getByRole('application', { name: 'Workflow Frequent words' })).toBeVisible();
  await expect(nodeOf(page, 'shout-1')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Copy to a space' }).click();
  await page.getByLabel('Name').fill('My words');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page).toHaveURL(/\/workflows\/[\w-]+$/);
  await expect(nodeOf(page, 'shout-1')).toBeVisible();
  await expect.poll(async () => (await client.workflows.list({ search: 'My words' })).count).toBe(1);
});
