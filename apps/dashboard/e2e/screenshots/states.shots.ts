import type { BrowserContext, Page } from '@playwright/test';
import { invite } from '../../../../e2e/support/invite.js';
import { expectAccessible } from '../support/expect-accessible.js';
import { pagesOf, seedVault } from '../support/seed-vault.js';
import { shot } from '../support/shot.js';
import { expect, test } from '../support/test.js';

/** Requests about the user and their roles, without which no page opens. */
const OF_SESSION = /\/api\/(auth|users|roles|members|notifications\/stream)\b/;

async function shootPages(
  page: Page,
  state: string,
  pages: Record<string, string>,
  settle = async () => page.waitForTimeout(900),
): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await settle();
    await shot(page, `${state}-${name}`);
    await expectAccessible(page);
  }
}

/** Answers the requests of a context for data, other than those about its session. */
const intercept = (context: BrowserContext, answer: 'never' | 'error') =>
  context.route(
    (url) => url.pathname.startsWith('/api/') && !OF_SESSION.test(url.pathname),
    async (route) => {
      if (answer === 'never') return;
      const error = { code: 'unavailable', message: 'The service workflows is not available.', request_id: 'r-1' };
      await route.fulfill({ status: 503, json: error });
    },
  );

test('pages while their data loads', async ({ signedIn: page, account }) => {
  const pages = pagesOf(await seedVault(account));
  await intercept(page.context(), 'never');
  await shootPages(page, 'loading', pages);
});

test('pages whose data cannot be read', async ({ signedIn: page, account, problems }) => {
  problems.allow(/status of 503/);
  const pages = pagesOf(await seedVault(account));
  await intercept(page.context(), 'error');
  // The client repeats requests before it reports that the service is not available.
  const loading = page.getByText('Loading', { exact: true });
  await shootPages(page, 'error', pages, async () => {
    await page.waitForTimeout(900);
    await expect(loading).toHaveCount(0);
  });
});

test('pages for a member who may only read', async ({ account, openAs, problems }) => {
  problems.allow(/status of 40[34]/);
  const pages = pagesOf(await seedVault(account));
  const reader = await invite(account);
  await account.client.roles.setUserSpace(account.space, reader.user, { role: 'read' });
  await shootPages(await openAs(reader), 'reader', pages);
});

test('pages for a member without a role in the space', async ({ account, openAs, problems }) => {
  problems.allow(/status of 40[34]/);
  const pages = pagesOf(await seedVault(account));
  await shootPages(await openAs(await invite(account)), 'no-role', pages);
});

test('pages with names that are hard to show', async ({ signedIn: page, account }) => {
  const { client, space } = account;
  const names = [
    '<b>bold</b> & "quoted"',
    'مسح المنافذ المفتوحة',
    '🦊'.repeat(60),
    'long-name-without-spaces-'.repeat(10),
  ];
  for (const name of names) {
    const solution = await client.solutions.create({ name, space });
    await client.datasets.create({ name, solution: solution.id }).catch(() => undefined);
    const { id } = await client.workflows.create(space, { name, description: name });
    const data = { nodes: { 'print-1': { type: 'SCRIPT', script: { source: 'echo hello' }, meta: { label: name } } } };
    await client.versions.save(id, { data });
    await client.schedules.set(id, { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin' });
    const run = await client.workflows.run(id);
    await client.runs.wait(run.id);
    await client.files.upload(`${name.replaceAll('/', '')}.txt`, new Blob([name])).catch(() => undefined);
    await page.goto(`/workflows/${id}`);
    await expect(page.locator('.react-flow__node')).toHaveCount(1);
    await shot(page, `names-editor-${names.indexOf(name)}`);
    await page.goto(`/runs/${run.id}`);
    await page.waitForTimeout(700);
    await shot(page, `names-run-${names.indexOf(name)}`);
  }
  await shootPages(page, 'names', {
    ...{
      home: '/',
      workflows: '/workflows',
      runs: '/runs',
      tables: '/tables',
      files: '/files',
      schedules: '/schedules',
    },
  });
});
