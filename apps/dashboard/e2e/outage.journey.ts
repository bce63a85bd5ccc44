import { expect, test } from './support/test.js';

test('while the server is away a page says so and keeps its edits, and then continues', async ({
  signedIn: page,
  context,
  problems,
}) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/settings/profile');
  await page.getByLabel('Name').fill('Kept during the outage');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').getByText('The server does not respond.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The server does not respond');
  await expect(page.getByLabel('Name')).toHaveValue('Kept during the outage');
  await context.setOffline(false);
  await expect(page.getByRole('status').getByText('The server does not respond.')).toBeHidden();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your name is saved')).toBeVisible();
});
