import { shot } from '../support/shot.js';
import { test } from '../support/test.js';

test('sign in', async ({ page }) => {
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await shot(page, 'sign-in');
});
