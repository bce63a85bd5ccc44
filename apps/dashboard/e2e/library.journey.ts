import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from './support/expect-accessible.js';
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

test('a module is imported from YAML, and found with its docs', async ({ signedIn: page }) => {
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
  await expect(page.getByRole('link', { name: 'shout' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'csv-join' })).toBeHidden();
});

test('a published workflow is copied into a space', async ({ signedIn: page, account: { client, space } }) => {
  const yaml = await readFile(join(import.meta.dirname, '../../../examples/modules/top-words.yaml'), 'utf8');
  const original = await client.workflows.import({ yaml }, { query: { space } });
  await client.snapshots.create(original.id, { workflow_version_info: 'latest', name: 'Frequent words' });

  await page.goto('/library?tab=workflows');
  await page.getByRole('link', { name: 'Frequent words' }).click();
  await expect(page.getByRole('rowheader', { name: 'words-1' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Copy to a space' }).click();
  await page.getByLabel('Name').fill('My words');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page).toHaveURL(/\/workflows\/[\w-]+$/);
  await expect.poll(async () => (await client.workflows.list({ search: 'My words' })).count).toBe(1);
});
