import { INSTALLATION_PAGES, seedInstallation } from '../support/seed-installation.js';
import { openShot, shot } from '../support/shot.js';
import { test } from '../support/test.js';

test('every page for administrators of the installation', async ({ signedIn: page, account }) => {
  const { vault, worker } = await seedInstallation(account);
  const details = {
    'installation-service': '/installation?open=runs',
    'installation-worker': `/installation/workers?open=${worker}`,
    'installation-user': `/installation/users?open=${account.user}`,
    'installation-vault': `/installation/vaults?open=${vault}`,
  };
  for (const [name, path] of Object.entries({ ...INSTALLATION_PAGES, ...details })) await openShot(page, path, name);
});

test('forms for administrators of the installation', async ({ signedIn: page, account }) => {
  await seedInstallation(account);
  await page.goto('/installation/joined-workers');
  await page.getByRole('button', { name: 'New join token' }).click();
  await page.getByLabel('Name').fill('gpu machines');
  await shot(page, 'installation-join-token-form');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog', { name: 'Let a machine join' }).waitFor();
  await shot(page, 'installation-join-token');
  const { vault } = await account.client.users.me();
  await page.goto(`/installation/vaults?open=${vault}`);
  await page.getByRole('complementary').getByRole('button', { name: 'Change the limits…' }).click();
  await shot(page, 'installation-limits');
  await page.goto('/installation/checks');
  await page.getByRole('button', { name: 'Rebuild indexes' }).click();
  await shot(page, 'installation-reindex');
});

test('pages for administrators on a phone', async ({ signedIn: page, account }) => {
  await seedInstallation(account);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, path] of Object.entries(INSTALLATION_PAGES)) await openShot(page, path, `${name}-narrow`);
  await openShot(page, `/installation/users?open=${account.user}`, 'installation-user-narrow');
});

test('what other users see at the address of these pages', async ({ signedIn: page }) => {
  await openShot(page, '/installation/users', 'installation-no-access');
});
