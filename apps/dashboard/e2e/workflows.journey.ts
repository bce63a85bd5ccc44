import { expectAccessible } from './support/expect-accessible.js';
import { expect, test } from './support/test.js';

const HOSTILE_NAME = `${'<img src=x onerror=alert(1)>'.repeat(3)} שלום 🚀 ${'x'.repeat(150)}`;

test(
  'workflows are organized in spaces and projects, found, moved and deleted',
  { tag: '@once' },
  async ({ signedIn: page, account }) => {
    const { id } = await account.client.workflows.create(account.space, { name: HOSTILE_NAME });
    await page.goto('/workflows');
    await expect(page.getByRole('link', { name: HOSTILE_NAME })).toBeVisible();
    await page.getByRole('button', { name: 'New space' }).click();
    await page.getByLabel('Name').fill('Research');
    await page.getByRole('radio', { name: 'Green' }).check({ force: true });
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByRole('heading', { name: 'No workflows yet' })).toBeVisible();
    await expect(page).toHaveURL(/space=/);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Actions for Research' }).click();
    await page.getByRole('menuitem', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('Hosts');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL(/project=/);

    await page.getByRole('link', { name: 'All workflows' }).click();
    await page.getByRole('button', { name: `Actions for ${HOSTILE_NAME}` }).click();
    await page.getByRole('menuitem', { name: 'Move' }).click();
    await page.getByRole('combobox', { name: 'Space' }).selectOption('Research');
    await page.getByRole('combobox', { name: 'Project' }).selectOption('Hosts');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(page.getByText('Research / Hosts')).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('searchbox', { name: 'Search workflows' }).fill('nothing like this');
    await expect(page.getByText('No workflow has this text')).toBeVisible();
    await page.goBack();
    await page.goForward();
    await page.getByRole('searchbox', { name: 'Search workflows' }).fill('onerror');
    await page.getByRole('button', { name: `Actions for ${HOSTILE_NAME}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel(/Type .* to confirm/).fill(HOSTILE_NAME);
    await page.getByRole('button', { name: 'Delete the workflow' }).click();
    await expect(page.getByText('No workflow has this text')).toBeVisible();
    await expect(account.client.workflows.get(id)).rejects.toMatchObject({ status: 404 });
  },
);

test(
  'the palette opens a page, a record and an action by keyboard alone',
  { tag: '@once' },
  async ({ signedIn: page, account }) => {
    await account.client.workflows.create(account.space, { name: 'Port watch' });
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Search and do' })).toBeFocused();
    await page.keyboard.type('settings');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/settings\/profile$/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('port wat');
    await expect(page.getByRole('option', { name: /Port watch/ })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/workflows\/[\w-]+$/);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page);
  },
);
