import type { Page } from '@playwright/test';
import { insertDeadMail } from '../../../e2e/support/insert-dead-letter.js';
import { insertWorker } from '../../../e2e/support/insert-worker.js';
import { grantAdmin } from '../../../e2e/support/make-admin.js';
import { databaseUrl } from '../../../e2e/support/own-system.js';
import { queryDatabase } from '../../../e2e/support/query-database.js';
import { readMail } from '../../../e2e/support/read-mail.js';
import { recordSecret } from '../../../e2e/support/record-secret.js';
import { expectAccessible } from './support/expect-accessible.js';
import { expect, signUp, test } from './support/test.js';

const ONCE = { tag: '@once' };

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name });

test('only administrators of the installation have its pages', ONCE, async ({ signedIn: page, account }) => {
  const link = page.getByRole('link', { name: 'Installation' });
  await page.goto('/installation/users');
  await expect(page.getByRole('heading', { name: 'You may not open this page' })).toBeVisible();
  await expect(page.getByText('npm run admin')).toBeVisible();
  await expect(link).toHaveCount(0);
  await expectAccessible(page);

  await grantAdmin(account);
  await page.reload();
  await expect(page.getByRole('table').getByText(account.email)).toBeVisible();
  await expect(link).toBeVisible();

  // By keyboard: the palette leads there.
  await page.goto('/');
  await expect(link).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('installation');
  await page.keyboard.press('Enter');
  await expect(page.getByText('All services work.')).toBeVisible();
});

test('a user is suspended and resumed', ONCE, async ({ signedIn: page, account }) => {
  await grantAdmin(account);
  const user = await signUp(account.url);
  await page.goto('/installation/users');
  await page.getByRole('searchbox', { name: 'Search emails and names' }).fill(user.email);
  await page.getByRole('link', { name: user.email }).click();
  const panel = panelOf(page, user.email);
  await expect(panel.getByText('Email and password')).toBeVisible();
  await panel.getByRole('button', { name: 'Suspend…' }).click();
  const dialog = page.getByRole('dialog', { name: `Suspend ${user.email}?` });
  await expectAccessible(page);
  await dialog.getByLabel('Reason').fill('Stolen account');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(panel.getByText('Suspended', { exact: true })).toBeVisible();
  await expect(panel.getByText('Stolen account')).toBeVisible();
  await expect(user.client.users.me()).rejects.toMatchObject({ code: 'unauthenticated' });
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Resume' }).click();
  await expect(panel.getByText('Active', { exact: true })).toBeVisible();
  const { results } = await account.client.adminUsers.list({ search: user.email });
  expect(results).toMatchObject([{ state: 'active' }]);

  await rowOf(page, user.email)
    .getByRole('button', { name: `Actions for ${user.email}` })
    .click();
  await page.getByRole('menuitem', { name: 'Reset the sign-in' }).click();
  await expect(page.getByText('0 failed attempts to sign in cleared')).toBeVisible();
});

test('limits of a vault are changed, and the vault is suspended', ONCE, async ({ signedIn: page, account }) => {
  await grantAdmin(account);
  const owner = await signUp(account.url);
  const { vault } = await owner.client.users.me();
  await page.goto(`/installation/vaults?open=${vault}`);
  const panel = page.getByRole('complementary');
  await expect(panel.getByText(owner.email)).toBeVisible();
  await panel.getByRole('button', { name: 'Change the limits…' }).click();
  await page.getByLabel('Runs that have not ended').fill('50');
  await page.getByLabel('Storage').fill('much');
  await expect(page.getByText('A size such as 500 MB or 50 GB.')).toBeVisible();
  await page.getByLabel('Storage').fill('1.5 GB');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByText('0 of 50')).toBeVisible();
  await expect(panel.getByText('0 B of 1.5 GB')).toBeVisible();
  const { limits } = await account.client.adminVaults.get(vault);
  expect(limits).toEqual({ active_runs: 50, dispatches: null, storage_bytes: 1_500_000_000, live_rows: null });

  await panel.getByRole('button', { name: 'Suspend…' }).click();
  await page.getByLabel('Reason').fill('Unpaid');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await expect(panel.getByText('Suspended', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Resume' }).click();
  await expect(panel.getByText('Active', { exact: true })).toBeVisible();

  await panel.getByRole('link', { name: '1 user' }).click();
  await expect(page.getByRole('link', { name: owner.email })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Only of the vault/ })).toBeVisible();
});

test('a worker is drained, and takes work again', ONCE, async ({ signedIn: page, account }) => {
  await grantAdmin(account);
  const id = await insertWorker('1 hour');
  await page.goto('/installation/workers');
  await page.getByRole('searchbox', { name: 'Search workers' }).fill(id);
  const row = rowOf(page, id);
  await expect(row).toContainText('Active');
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Drain' }).click();
  await expect(row).toContainText('Drained');
  await expect(page.getByText('It is idle.')).toBeVisible();
  expect(await account.client.workers.get(id)).toMatchObject({ state: 'draining' });

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Active');
  await row.getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'gpu-1.example.org' });
  await panel.getByRole('button', { name: 'Cordon' }).click();
  await expect(panel.getByText('Cordoned')).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Uncordon' }).click();
  await expect(panel.getByText('Active')).toBeVisible();
});

test('a join token is shown once with its command, and revoked', ONCE, async ({ signedIn: page, account }) => {
  await grantAdmin(account);
  const name = `machines of ${account.user}`;
  await page.goto('/installation/joined-workers');
  await page.getByRole('button', { name: 'New join token' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Fleet').fill('blue');
  await form.getByLabel('Labels').fill('gpu');
  await expect(form.getByText('It must be a list such as')).toBeVisible();
  await form.getByLabel('Labels').fill('gpu=true, zone=eu');
  await form.getByLabel('large').uncheck();
  await form.getByLabel('Workers that may join').fill('5');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = page.getByRole('dialog', { name: 'Let a machine join' });
  const token = recordSecret((await shown.locator('pre').first().textContent()) ?? '');
  await expect(shown.getByText(`npx millrace-worker join ${account.url} --token-file token`)).toBeVisible();
  await expectAccessible(page);

  // It works: a machine that uses it joins.
  const machine = await account.client.joinedWorkers.join({ token, name: 'blue-1.example.org' });
  expect(machine).toMatchObject({ fleet: 'blue', labels: { gpu: 'true', zone: 'eu' }, sizes: ['small', 'medium'] });
  await shown.getByRole('button', { name: 'I have stored it' }).click();
  await page.reload();
  const row = rowOf(page, name).filter({ hasText: '1 of 5' });
  await expect(row).toContainText('Active');
  await expect(page.getByText(token)).toHaveCount(0);
  await row.getByRole('button', { name: `Revoke the token ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');

  await page.getByRole('searchbox', { name: 'Search joined workers' }).fill(machine.id);
  await page.getByRole('button', { name: 'Revoke the worker blue-1.example.org' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText(`No machine, id or fleet contains “${machine.id}”.`)).toBeVisible();
});

test('a dead job is handled again, and another one is dropped', ONCE, async ({ signedIn: page, account }) => {
  await grantAdmin(account);
  const [user, other] = [await signUp(account.url), await signUp(account.url)];
  const [retried, dropped] = [await insertDeadMail(user.email), await insertDeadMail(other.email)];
  await page.goto('/installation/dead-letters?service=auth&name=auth.passwords.mailPasswordReset');
  await page.getByLabel(`Select auth.passwords.mailPasswordReset, ${retried}`).check();
  await expect(page.getByText('1 dead letter selected')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(page.getByText('1 dead letter will be handled again')).toBeVisible();
  expect((await readMail(user.email, /password/i)).link).not.toBeNull();
  await expect(page.getByLabel(`Select auth.passwords.mailPasswordReset, ${retried}`)).toHaveCount(0);

  await page.goto(`/installation/dead-letters?open=${dropped}`);
  const panel = panelOf(page, 'auth.passwords.mailPasswordReset');
  await expect(panel.getByText('The mail server does not respond')).toBeVisible();
  await expect(panel.getByText(`text of ${other.email.length} characters`)).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Drop…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
  await expect(page.getByText('1 dead letter dropped')).toBeVisible();
  await expect(panel).toHaveCount(0);
  const { results } = await account.client.deadLetters.list({ service: 'auth', page_size: 1_000 });
  expect(results.filter(({ id }) => [retried, dropped].includes(id))).toEqual([]);
});

test('a check runs to its end, and the audit log has it', ONCE, async ({ signedIn: page, account }) => {
  await grantAdmin(account);
  await page.goto('/installation/checks');
  await page.getByRole('button', { name: 'Start a check' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Check the stored data' });
  // A service with few records.
  for (const service of ['auth', 'workflows', 'runs', 'datasets', 'notifications'])
    await dialog.getByLabel(service).uncheck();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Start the check' }).click();
  const panel = panelOf(page, 'Check');
  await expect(panel.getByText('Done', { exact: true })).toBeVisible();
  await expect(panel.getByText(/, ended/)).toBeVisible();
  await expect(panel.getByText('Nothing is violated, and everything could be carried out.')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Audit log' }).click();
  const row = rowOf(page, account.email).filter({ hasText: 'Started a check' });
  await row.getByRole('link').click();
  await expect(panelOf(page, 'Started a check').getByText('["billing"]')).toBeVisible();
  await expectAccessible(page);
});

test(
  'the health has all services, and a log level is changed for some minutes',
  ONCE,
  async ({ signedIn, account }) => {
    const page = signedIn;
    await grantAdmin(account);
    await page.goto('/installation');
    await expect(page.getByText('All services work.')).toBeVisible();
    await page.getByRole('link', { name: 'billing' }).click();
    const panel = panelOf(page, 'billing');
    await expect(panel.getByRole('heading', { name: 'What it needs' })).toBeVisible();
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Change the log level' }).click();
    await page.getByLabel('Minutes').fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
    const row = rowOf(page, account.email);
    await expect(row).toContainText('billing');
    await expect(row).toContainText('debug');
  },
);

test(
  'a sign-in that is too old is repeated where it is required',
  ONCE,
  async ({ signedIn: page, account, problems }) => {
    problems.allow(/status of 403/);
    await grantAdmin(account);
    await page.goto('/installation/administrators');
    await expect(page.getByRole('cell', { name: account.email, exact: true })).toBeVisible();
    await queryDatabase(
      databaseUrl(process.env['TEST_DATA_DIR'] ?? ''),
      `UPDATE auth.session SET created_at = now() - interval '16 minutes' WHERE user_id = $1`,
      [account.user],
    );
    await page.getByRole('button', { name: 'New admin token' }).click();
    const form = page.getByRole('dialog', { name: 'New admin token' });
    await form.getByLabel('Name').fill('nightly check');
    await form.getByRole('button', { name: 'Create' }).click();
    await expect(form.getByRole('alert')).toContainText('within the last 15 minutes');
    await form.getByRole('button', { name: 'Sign in again' }).click();
    const signIn = page.getByRole('dialog', { name: 'Sign in again' });
    await signIn.getByLabel('Password').fill(account.password);
    await expectAccessible(page);
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(signIn).toBeHidden();

    await expect(form.getByLabel('Name')).toHaveValue('nightly check');
    await form.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'Admin token “nightly check”' });
    const token = recordSecret((await shown.locator('pre').first().textContent()) ?? '');
    const headers = { authorization: `Token ${token}` };
    expect((await fetch(`${account.url}/api/admin/users?page_size=1`, { headers })).status).toBe(200);
    await shown.getByRole('button', { name: 'I have stored it' }).click();

    const user = await signUp(account.url);
    await page.getByRole('button', { name: 'New administrator' }).click();
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('button', { name: 'Grant the role' }).click();
    await page.getByRole('button', { name: `Revoke the role of ${user.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText(`${user.email} is an administrator`)).toBeVisible();
    await expect(page.getByRole('cell', { name: user.email, exact: true })).toHaveCount(0);
  },
);
