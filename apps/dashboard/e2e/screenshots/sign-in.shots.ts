import { shot } from '../support/shot.js';
import { NO_SESSION, test } from '../support/test.js';

test('sign in', async ({ page, problems }) => {
  problems.allow(NO_SESSION);
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await shot(page, 'sign-in');
});
