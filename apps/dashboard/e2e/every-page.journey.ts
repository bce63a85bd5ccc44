import type { Page } from '@playwright/test';
import { expectAccessible } from './support/expect-accessible.js';
import { INSTALLATION_PAGES, seedInstallation } from './support/seed-installation.js';
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
const findProblems = (page: Page, rules?: string[]): Promise<string> =>
  expectAccessible(page, rules).then(() => '', String);

/** The rules whose result the theme or the width changes; the others give the same as in light, and cost time. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES_OF_SIZES = ['target-size', 'scrollable-region-focusable'];

/** Nearly thirty pages are checked three times, which takes up to six minutes on busy processors. */
const TIMEOUT_MS = 15 * 60_000;

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

test(
  'every page is accessible in both themes, and pages for reading fit a phone',
  { tag: '@once' },
  async ({ signedIn: page, account }) => {
    test.setTimeout(TIMEOUT_MS);
    await checkPages(page, pagesOf(await seedVault(account)));
  },
);

test(
  'every page for administrators is accessible in both themes, and fits a phone',
  { tag: '@once' },
  async ({ signedIn: page, account }) => {
    test.setTimeout(TIMEOUT_MS);
    await seedInstallation(account);
    await checkPages(page, INSTALLATION_PAGES);
  },
);

async function checkPages(page: Page, pages: Record<string, string>): Promise<void> {
  const problems = [];
  for (const [name, path] of Object.entries(pages)) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    await openSettled(page, path);
    problems.push(await findProblems(page));
    await page.emulateMedia({ colorScheme: 'dark' });
    problems.push(await findProblems(page, RULES_OF_COLOURS));
    if (NOT_FOR_PHONES.test(name)) continue;
    await page.setViewportSize(PHONE);
    problems.push(await findOverflow(page), await findProblems(page, RULES_OF_SIZES));
  }
  expect(problems.join('\n\n').trim()).toBe('');
}

async function findOverflow(page: Page): Promise<string> {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return overflow > 0 ? `${page.url()} is ${overflow} px wider than a phone` : '';
}
