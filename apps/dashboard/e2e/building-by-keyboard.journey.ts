import type { Page } from '@playwright/test';
import { graphOf, nodeOf, openEditor } from './support/open-editor.js';
import { expect, test } from './support/test.js';

/** Chooses in the dialog that adds a step, by typing. */
async function choose(page: Page, words: string, node: string): Promise<void> {
  await expect(page.getByRole('combobox', { name: 'Search the library' })).toBeFocused();
  await page.keyboard.type(words);
  await expect(page.getByRole('option', { selected: true })).toContainText(new RegExp(words, 'i'));
  await page.keyboard.press('Enter');
  await expect(nodeOf(page, node)).toBeVisible();
  await expect(graphOf(page)).toBeFocused();
}

test('five nodes are built with the keyboard alone, survive a reload, and are saved', async ({
  signedIn: page,
  account,
}) => {
  const workflow = await account.client.workflows.create(account.space, { name: 'By keyboard' });
  await openEditor(page, workflow.id);
  await page.keyboard.press('a');
  await choose(page, 'file input', 'file-input-1');
  for (const [words, node] of [
    ['splitter', 'splitter-1'],
    ['script', 'script-1'],
    ['script', 'script-2'],
  ] as const) {
    await page.keyboard.press('Tab');
    await choose(page, words, node);
  }
  // The arrows go back along the connections, and a second branch begins there.
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('heading', { name: 'script-1' })).toBeVisible();
  await page.keyboard.press('Tab');
  await choose(page, 'sort-lines', 'sort-lines-1');
  await page.keyboard.press('l');
  await expect(page.locator('.react-flow__edge')).toHaveCount(4);

  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('sorted');
  await page.keyboard.press('Enter');
  await expect(nodeOf(page, 'sorted')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Draft stored in this browser')).toBeVisible();

  await page.reload();
  await expect(page.getByText('Your edits of an earlier visit are restored.')).toBeVisible();
  await expect(nodeOf(page, 'sorted')).toBeVisible();
  // Until the role of the user is known, nothing can be edited.
  await expect(page.getByRole('button', { name: /^Save/ })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByLabel('Name of the version (optional)')).toBeFocused();
  await page.keyboard.type('Five nodes');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved version 1').first()).toBeVisible();
  const { data, name } = await account.client.versions.get(workflow.id, 'latest');
  expect(name).toBe('Five nodes');
  expect(Object.keys(data['nodes'] as object).sort()).toEqual(['script-1', 'script-2', 'sorted', 'splitter-1']);
  expect(data['connections']).toHaveLength(4);
});
