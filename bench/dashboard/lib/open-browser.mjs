import { chromium } from '@playwright/test';
import { findChromium } from '../../../scripts/lib/machine/find-chromium.mjs';
import { UserError } from '../../../scripts/lib/report.mjs';

/**
 * A browser whose new pages, each with a cold cache, are signed in to the dashboard.
 * @typedef {{ newPage: () => Promise<import('@playwright/test').Page>, close: () => Promise<void> }} SignedInBrowser
 */

/**
 * Starts the Chromium of the browser tests.
 * @param {string} url of the system
 * @param {import('../../lib/account.mjs').Account} account
 * @returns {Promise<SignedInBrowser>}
 */
export async function openBrowser(url, { email, password }) {
  // Chromium has no sandbox as root, and containers have a small /dev/shm.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const executablePath = findChromium(process.env);
  if (!executablePath) throw new UserError('Install Chromium, or set CHROMIUM_PATH. `npm test` installs it on Debian.');
  const browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext();
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password },
    headers: { 'x-millrace-session': 'cookie', origin: url },
  });
  if (!response.ok()) throw new Error(`The sign-in responded with ${response.status()}: ${await response.text()}`);
  const storageState = await context.storageState();
  await context.close();
  return {
    newPage: async () => (await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })).newPage(),
    close: () => browser.close(),
  };
}
