import { pagesOf, seedVault } from '../support/seed-vault.js';
import { openShot } from '../support/shot.js';
import { NO_SESSION, test } from '../support/test.js';

const EMPTY_PAGES = ['/', '/workflows', '/runs', '/tables', '/library', '/files', '/schedules', '/notifications'];

test('every page of a new account', async ({ signedIn: page }) => {
  for (const path of EMPTY_PAGES)
    await openShot(page, path, `empty${path === '/' ? '-home' : path.replaceAll('/', '-')}`);
});

test('every page of an account with data', async ({ signedIn: page, account }) => {
  const pages = pagesOf(await seedVault(account));
  for (const [name, path] of Object.entries(pages)) await openShot(page, path, name);
});

test('pages before the sign-in, and problems', async ({ page, problems }) => {
  problems.allow(NO_SESSION);
  problems.allow(/status of 40\d/);
  await openShot(page, '/signup', 'sign-up');
  await openShot(page, '/password-reset', 'password-reset');
  await openShot(page, '/password-reset?token=x', 'password-new');
  await openShot(page, '/invitations/accept?token=x', 'invitation-invalid');
  await openShot(page, '/login?error=expired_attempt', 'sign-in-problem');
});

test('what a page shows if its record does not exist', async ({ signedIn: page, problems }) => {
  problems.allow(/status of 404/);
  await openShot(page, '/nothing/here', 'not-found');
  await openShot(page, '/runs/999999', 'run-not-found');
  await openShot(page, '/workflows/01990000-0000-7000-8000-000000000000', 'workflow-not-found');
  await openShot(page, '/tables/01990000-0000-7000-8000-000000000000', 'table-not-found');
});
