import { chromium } from '@playwright/test';

const { CHROMIUM_PATH = '/usr/bin/chromium' } = process.env;

/**
 * A browser whose new pages, each with a cold cache, are signed in to the dashboard.
 * @typedef {{ newPage: () => Promise<import('@playwright/test').Page>, close: () => Promise<void> }} SignedInBrowser
 */

/**
 * Starts the Chromium of the browser tests (`CHROMIUM_PATH`; `npm test` installs it).
 * @param {string} url of the system
 * @param {import('./account.mjs').Account} account
 * @returns {Promise<SignedInBrowser>}
 */
export async function openBrowser(url, { email, password }) {
  // Chromium has no sandbox as root, and containers have a small /dev/shm.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args });
  const context = await browser.newContext();
  const response = await context.request.post(`${url}/api/auth/login`, {
    data: { email, password },
    headers: { 'x-millrace-session': 'cookie', origin: url },
  });
  if (!response.ok()) throw new Error(`The sign-in responded with ${response.status()}: ${await response.text()}`);
  const storageState = await context.storageState();
  await context.close();
  return {
    newPage: async () => (await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } })).newPage(),
    close: () => browser.close(),
  };
}
