import type { Page } from '@playwright/test';
import { expect, NO_SESSION, test } from './support/test.js';

/** The app has started if it has replaced the content of its root element. */
const expectStarted = async (page: Page) => {
  await expect(page.locator('#root')).not.toBeEmpty();
  await expect(page).toHaveTitle(/Millrace/);
};

test('the app opens at /', { tag: '@once' }, async ({ page, problems }) => {
  problems.allow(NO_SESSION);
  const response = await page.goto('/');
  expect(response?.status()).toBe(200);
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
  await expectStarted(page);
});

test(
  'the app opens at the address of a page, and again after a reload',
  { tag: '@once' },
  async ({ signedIn: page }) => {
    const response = await page.goto('/workflows');
    expect(response?.status()).toBe(200);
    await expectStarted(page);
    await page.reload();
    await expectStarted(page);
    await expect(page).toHaveURL(/\/workflows$/);
  },
);

test(
  'the app opens at the width of a phone without horizontal scrolling',
  { tag: '@narrow' },
  async ({ page, problems }) => {
    problems.allow(NO_SESSION);
    await page.goto('/');
    await expectStarted(page);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  },
);
