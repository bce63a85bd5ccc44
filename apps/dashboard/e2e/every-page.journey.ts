import type { Page } from '@playwright/test';
import { expectAccessible } from './support/expect-accessible.js';
import { pagesOf, seedVault } from './support/seed-vault.js';
import { expect, test } from './support/test.js';

/** Pages whose content is to be drawn or typed on, which a phone is not for. */
const NOT_FOR_PHONES = /^(editor|run-failed-graph|run-comparison)/;

async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
}

/** All pages are checked before the test fails. */
const findProblems = (page: Page): Promise<string> => expectAccessible(page).then(() => '', String);

test('every page is accessible', async ({ signedIn: page, account }) => {
  const problems = [];
  for (const path of Object.values(pagesOf(await seedVault(account)))) {
    await openSettled(page, path);
    problems.push(await findProblems(page));
  }
  expect(problems.join('\n\n').trim()).toBe('');
});

test(
  'pages for reading fit the width of a phone, and are accessible there',
  { tag: '@narrow' },
  async ({ signedIn: page, account }) => {
    const problems = [];
    for (const [name, path] of Object.entries(pagesOf(await seedVault(account)))) {
      if (NOT_FOR_PHONES.test(name)) continue;
      await openSettled(page, path);
      const overflow = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      if (overflow > 0) problems.push(`${path} is ${overflow} px too wide`);
      problems.push(await findProblems(page));
    }
    expect(problems.join('\n\n').trim()).toBe('');
  },
);
