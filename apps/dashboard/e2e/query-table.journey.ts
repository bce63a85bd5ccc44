import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { invite } from '../../../e2e/support/invite.js';
import { expectAccessible } from './support/expect-accessible.js';
import { expect, test, type Account } from './support/test.js';

const ROWS = 5_000;
const STATUSES = [200, 301, 404, 500];

/** Makes a table with rows whose `id` is their position, and whose `status` repeats. */
async function makeTable({ client, space }: Account): Promise<string> {
  const solution = await client.solutions.create({ name: 'Attack surface', space });
  const { id } = await client.datasets.create({ name: 'requests', solution: solution.id });
  const lines = Array.from(
    { length: ROWS },
    (_, row) => `${row},host-${row % 7}.example.com,${STATUSES[row % 4]},"a ""b"" \\ ${row % 3}"`,
  );
  const load = await client.rows.append(id, `id,host,status,note\n${lines.join('\n')}\n`, { format: 'csv' });
  expect(load).toMatchObject({ status: 'COMPLETED', rows_new: ROWS });
  return id;
}

const grid = (page: Page) => page.getByRole('grid');
/** A cell by the position of its row and column, which are their ARIA indices without the header and the row number. */
const cell = (page: Page, row: number, column: number) =>
  grid(page).locator(`[role=row][aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`);
const count = (page: Page) => page.getByRole('status').filter({ hasText: /rows?$/ });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Query' });

test('a query is completed, paged, saved as a view, shared with a reader, and exported', async ({
  signedIn: page,
  account,
  openAs,
  problems,
}) => {
  // A wrong query is refused by the API.
  problems.allow(/status of 400/);
  const table = await makeTable(account);
  const reader = await invite(account);
  await account.client.roles.setUserSpace(account.space, reader.user, { role: 'read' });

  await page.goto(`/tables/${table}`);
  await expect(count(page)).toHaveText('5,000 rows');
  await expectAccessible(page);

  // The last row, and the first one again.
  await grid(page).focus();
  await page.keyboard.press('Control+End');
  await expect(cell(page, ROWS - 1, 0)).toHaveText(String(ROWS - 1));
  await page.keyboard.press('Control+Home');
  await expect(cell(page, 0, 0)).toHaveText('0');

  await editor(page).click();
  await page.keyboard.type('sta');
  await expect(page.getByRole('option', { name: /status/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.type('= ');
  await expect(page.getByRole('option', { name: /^404/ })).toBeVisible();
  await page.keyboard.type('404');
  await page.keyboard.press('Enter');
  await expect(count(page)).toHaveText('1,250 rows');
  await expect(cell(page, 0, 0)).toHaveText('2');
  await expect(page).toHaveURL(/[?&]q=status\+%3D\+404(&|$)/);

  await page.keyboard.type(' AND hots = 1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The query names the column "hots", which does not exist')).toBeVisible();
  await page.goBack();
  await expect(count(page)).toHaveText('1,250 rows');

  // A filter from a cell whose value has quotes and a backslash.
  await cell(page, 0, 3).click();
  await page.getByRole('menuitem', { name: 'Only this' }).click();
  await expect(editor(page)).toHaveText(String.raw`status = 404 AND note = "a \"b\" \\ 2"`);
  await expect(count(page)).toHaveText('417 rows');
  await expect(grid(page)).toBeFocused();

  await grid(page).getByRole('columnheader', { name: 'id' }).click();
  await grid(page).getByRole('columnheader', { name: 'id' }).click();
  await expect(cell(page, 0, 0)).toHaveText('4994');

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Missing pages');
  await dialog.getByLabel('Folder').selectOption('New folder…');
  await dialog.getByLabel('Name of the folder').fill('Weekly');
  await dialog.getByRole('button', { name: 'Save the view' }).click();
  await expect(page.getByRole('heading', { name: 'Missing pages' })).toBeVisible();
  await expect(count(page)).toHaveText('417 rows');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file.trimEnd().split('\n')).toHaveLength(418);
  expect(file).toContain('4994,host-3.example.com,404,"a ""b"" \\ 2"');
  await page.keyboard.press('Escape');

  // The reader opens the link of the view, narrows it, and may not change it.
  const other = await openAs(reader);
  await other.goto(page.url());
  await expect(count(other)).toHaveText('417 rows');
  await expect(cell(other, 0, 0)).toHaveText('4994');
  await editor(other).click();
  await other.keyboard.type('id < 100');
  await other.keyboard.press('Enter');
  await expect(count(other)).toHaveText('9 rows');
  await other.reload();
  await expect(count(other)).toHaveText('9 rows');
  await expect(other.getByRole('button', { name: 'Save view' })).toBeHidden();
  await other.goto('/tables?show=folders');
  await expect(other.getByRole('link', { name: 'Missing pages' })).toBeVisible();
});
