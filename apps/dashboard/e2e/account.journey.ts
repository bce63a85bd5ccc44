import { randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import { recordSecret } from '../../../e2e/support/record-secret.js';
import { expectAccessible } from './support/expect-accessible.js';
import { ENDED_STREAM, expect, NO_SESSION, test } from './support/test.js';

test('a new user signs up, runs the sample, reads its table, and signs out in all tabs', async ({
  page,
  context,
  problems,
}) => {
  problems.allow(NO_SESSION);
  problems.allow(ENDED_STREAM);
  const password = `correct horse ${randomUUID()}`;
  recordSecret(password);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
  await page.getByLabel('Name').fill('Ada <b>Founder</b>');
  await page.getByLabel('Email').fill(`e2e-${randomUUID()}@example.org`);
  await page.getByLabel('Password').fill(password);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await expect(page.getByRole('heading', { name: 'From a log to a table of results' })).toBeVisible();
  await expect(page.getByText('Failed logins (sample)')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page).toHaveURL(/\/runs\/\d+/);
  await expect(page.locator('#content header').getByText('Completed')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'Open the table' }).click();
  await expect(page.getByRole('gridcell', { name: '203.0.113.99' })).toBeVisible({ timeout: 30_000 });

  const other = await context.newPage();
  await other.goto('/settings/profile');
  await expect(other.getByLabel('Name')).toHaveValue('Ada <b>Founder</b>');
  await page.getByRole('button', { name: 'Account of Ada <b>Founder</b>' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(other).toHaveURL(/\/login/);
});

test('the tokens of a session are readable by no script', async ({ signedIn: page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  const readable = await page.evaluate(() => [document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })]);
  expect(readable[0]).toBe('');
  expect(readable[1]).not.toMatch(/eyJ|refresh/);
});

test('a second factor is set up, and asked for at the next sign-in', async ({ signedIn: page, account, problems }) => {
  problems.allow(NO_SESSION);
  problems.allow(/status of 400/);
  await page.goto('/settings/security');
  const setUp = page.getByRole('button', { name: 'Set up a second factor' });
  await expect(setUp).toBeVisible();
  await expectAccessible(page);
  await setUp.click();
  await expect(page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? '';
  recordSecret(secret);
  await page.getByLabel('Code from the app').fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Turn on' }).click();
  const stored = page.getByRole('button', { name: 'I have stored them' });
  await expect(stored).toBeVisible();
  const codes = (await page.getByRole('dialog').locator('pre').textContent())?.split('\n') ?? [];
  for (const code of codes) recordSecret(code);
  await stored.click();
  await expect(page.getByText('Your account has a second factor.')).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/settings/sessions?from=mail');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill('a wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('The email or password is wrong');
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Authentication code').fill(codes[0] ?? '');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/settings\/sessions\?from=mail$/);
  await expect(page.getByText('this session')).toBeVisible();
  await expectAccessible(page);
});

test('an API token is shown once, and works', async ({ signedIn: page, account }) => {
  await page.goto('/settings/developer');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const token = await page.getByRole('status').locator('pre').textContent();
  recordSecret(token ?? '');
  await expectAccessible(page);
  const response = await fetch(`${account.url}/api/users/me`, { headers: { authorization: `Token ${token}` } });
  expect(await response.json()).toMatchObject({ email: account.email });
  await page.reload();
  await expect(page.getByText(`Your token begins with ${token?.slice(0, 4)}`)).toBeVisible();
  await expect(page.getByText(token ?? '')).toBeHidden();
});

test('a device is approved by its code', async ({ signedIn: page, account }) => {
  const grant = await account.client.devices.requestCode({ client_id: 'svc-cli' });
  recordSecret(grant.device_code);
  await page.goto('/device');
  await page.getByLabel('Code').fill(grant.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(account.email)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('The device is signed in.')).toBeVisible();
  const tokens = await account.client.devices.token({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: grant.device_code,
    client_id: 'svc-cli',
  });
  recordSecret(tokens.access_token);
  expect(tokens.token_type).toBe('Bearer');
});

test('a session that ends while a page is open is renewed in place', async ({ signedIn: page, account, problems }) => {
  problems.allow(NO_SESSION);
  problems.allow(ENDED_STREAM);
  await page.goto('/settings/profile');
  await page.getByLabel('Name').fill('Not saved yet');
  await account.client.sessions.endOthers();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill(account.password);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Name')).toHaveValue('Not saved yet');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your name is saved')).toBeVisible();
});
