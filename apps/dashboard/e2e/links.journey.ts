import { randomUUID } from 'node:crypto';
import { GOOGLE_PROBLEMS } from '@millrace/contracts/auth/google-problems';
import { readMail } from '../../../e2e/support/read-mail.js';
import { recordSecret } from '../../../e2e/support/record-secret.js';
import { expectAccessible } from './support/expect-accessible.js';
import { expect, NO_SESSION, test } from './support/test.js';

/** The path and the query of a mail's link. The development server has another address than the links. */
const pathOf = ({ link }: { link: URL | null }): string => `${link?.pathname}${link?.search}`;

const newPassword = (): string => recordSecret(`correct horse ${randomUUID()}`);

test(
  'an invitation is accepted by the link of its mail, once',
  { tag: '@once' },
  async ({ page, account, problems }) => {
    problems.allow(NO_SESSION);
    problems.allow(/status of 400/);
    const email = `guest-${randomUUID()}@example.org`;
    await account.client.invitations.create({ email, role: 'member' });
    const link = pathOf(await readMail(email, /invite/i));
    await page.goto(link);
    await expect(page.getByRole('heading', { name: /^Join / })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Grace <i>Guest</i>');
    await page.getByLabel('Password').fill(newPassword());
    await page.getByRole('button', { name: 'Join' }).click();
    await expect(page.getByRole('button', { name: 'Account of Grace <i>Guest</i>' })).toBeVisible();
    const { results } = await account.client.members.list();
    expect(results.map((member) => [member.email, member.vault_role])).toContainEqual([email, 'member']);

    await page.context().clearCookies();
    await page.goto(link);
    await expect(page.getByRole('alert')).toContainText('The invitation was used, revoked or has expired.');
    await expectAccessible(page);
  },
);

test('a password is reset by the link of a mail, once', { tag: '@once' }, async ({ page, account, problems }) => {
  problems.allow(NO_SESSION);
  problems.allow(/status of 400/);
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill(account.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();

  const link = pathOf(await readMail(account.email, /new password/));
  await page.goto(link);
  const password = newPassword();
  await page.getByLabel('New password').fill(password);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();

  await page.goto(link);
  await page.getByLabel('New password').fill(newPassword());
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect(page.getByRole('alert')).toContainText('expired_token');

  await page.goto('/login');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('The email or password is wrong');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});

test(
  'a device is denied by the link with its code, after a sign-in',
  { tag: '@once' },
  async ({ page, account, problems }) => {
    problems.allow(NO_SESSION);
    const grant = await account.client.devices.requestCode({ client_id: 'svc-cli' });
    recordSecret(grant.device_code);
    const { pathname, search } = new URL(grant.verification_uri_complete);
    await page.goto(`${pathname}${search}`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText(grant.user_code)).toBeVisible();
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByText('The sign-in was denied.')).toBeVisible();
    const body = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: grant.device_code,
      client_id: 'svc-cli',
    } as const;
    await expect(account.client.devices.token(body)).rejects.toMatchObject({ code: 'access_denied' });
  },
);

test(
  'a refused sign-in with Google is explained, and no other text of the address is shown',
  { tag: '@once' },
  async ({ page, problems }) => {
    problems.allow(NO_SESSION);
    await page.goto('/login?error=unverified_email&request_id=0199f5a8-7c1e&next=%2Ffiles');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(GOOGLE_PROBLEMS.unverified_email);
    await expect(alert).toContainText('request 0199f5a8-7c1e');
    await expectAccessible(page);
    await page.goto('/login?error=Call+555+now&request_id=Call+555+now');
    await expect(alert).toContainText(GOOGLE_PROBLEMS.internal_error);
    await expect(page.getByText('555')).toBeHidden();
  },
);

test(
  'a follower of a view stops following on the page to which the mail links',
  { tag: '@once' },
  async ({ signedIn: page, account }) => {
    const { client, space, email } = account;
    const { id: solution } = await client.solutions.create({ name: 'Hosts', space });
    const { id: dataset } = await client.datasets.create({ name: 'hosts', solution, primary_key: ['host'] });
    const append = (rows: string) => client.rows.append(dataset, rows, { format: 'ndjson' });
    await append('{"host": "old.example", "port": 1}');
    const { id: view } = await client.views.create(solution, { name: 'Big', dataset, q: 'port > 1000' });
    await client.viewFollows.set(solution, view, {});
    await append('{"host": "new.example", "port": 9000}');
    const mail = await readMail(email, /1 new in "Big"/);
    await page.goto(pathOf(mail));
    for (const name of ['Following', 'Stop following']) expect(mail.text).toContain(`"${name}"`);
    await page.getByRole('button', { name: 'Following' }).click();
    await page.getByRole('menuitem', { name: 'Stop following' }).click();
    await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeVisible();
    expect(await client.viewFollows.get(solution, view)).toMatchObject({ following: false });
  },
);

for (const next of ['https://evil.example/', '//evil.example/', 'javascript:alert(1)']) {
  test(
    `a sign-in with ${next} as the next page leads to the home page`,
    { tag: '@once' },
    async ({ page, account, problems }) => {
      problems.allow(NO_SESSION);
      await page.goto(`/login?${new URLSearchParams({ next })}`);
      await page.getByLabel('Email').fill(account.email);
      await page.getByLabel('Password').fill(account.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
      await expect(page).toHaveURL(/^[^?]+:\d+\/$/);
    },
  );
}
