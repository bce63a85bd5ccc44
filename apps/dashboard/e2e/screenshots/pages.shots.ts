import type { Page } from '@playwright/test';
import { pagesOf, seedVault } from '../support/seed-vault.js';
import { shot } from '../support/shot.js';
import { NO_SESSION, test } from '../support/test.js';

/** A page has settled if nothing has been requested for half a second; the streams of the page do not count. */
async function open(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(700);
  await shot(page, name);
}

const EMPTY_PAGES = ['/', '/workflows', '/runs', '/tables', '/library', '/files', '/schedules', '/notifications'];

test('every page of a new account', async ({ signedIn: page }) => {
  for (const path of EMPTY_PAGES) await open(page, path, `empty${path === '/' ? '-home' : path.replaceAll('/', '-')}`);
});

test('every page of an account with data', async ({ signedIn: page, account }) => {
  const pages = pagesOf(await seedVault(account));
  for (const [name, path] of Object.entries(pages)) await open(page, path, name);
});

test('pages before the sign-in, and problems', async ({ page, problems }) => {
  problems.allow(NO_SESSION);
  problems.allow(/status of 40\d/);
  await open(page, '/signup', 'sign-up');
  await open(page, '/password-reset', 'password-reset');
  await open(page, '/password-reset?token=x', 'password-new');
  await open(page, '/invitations/accept?token=x', 'invitation-invalid');
  await open(page, '/login?error=expired_attempt', 'sign-in-problem');
});

test('what a page shows if its record does not exist', async ({ signedIn: page, problems }) => {
  problems.allow(/status of 404/);
  await open(page, '/nothing/here', 'not-found');
  await open(page, '/runs/999999', 'run-not-found');
  await open(page, '/workflows/01990000-0000-7000-8000-000000000000', 'workflow-not-found');
  await open(page, '/tables/01990000-0000-7000-8000-000000000000', 'table-not-found');
});
