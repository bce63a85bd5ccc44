import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const { TEST_BASE_URL, TEST_BROWSER_DIR, TEST_SEED = '', CHROMIUM_PATH } = process.env;

/** Tests with this tag run at the width of a phone, and all others at that of a laptop. */
const NARROW = /@narrow\b/;
/** Tests with this tag run once, because the theme makes no difference to them. */
const ONCE = /@once\b/;

const ALL = /^/;
const NONE = /(?!)/;

/** Whether tests run in a theme: in both, or in one of them if the run chooses what it leaves out (`chooseShare`). */
const inTheme = (theme: 'light' | 'dark'): boolean =>
  TEST_SEED === '' || theme === (Number(TEST_SEED) % 2 === 0 ? 'light' : 'dark');

/** `npm test` starts the system, finds Chromium, and sets the variables. Playwright never installs a browser of its own. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.journey.ts',
  outputDir: TEST_BROWSER_DIR ?? join(tmpdir(), 'millrace-browser'),
  // Two browsers and the system under test share two cores in CI. A longer wait costs nothing if the test passes.
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  use: {
    baseURL: TEST_BASE_URL ?? 'http://127.0.0.1:8080',
    launchOptions: {
      executablePath: CHROMIUM_PATH ?? '/usr/bin/chromium',
      // Chromium has no sandbox as root, and containers have a small /dev/shm.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    },
    // Otherwise axe measures the colours of a transition that is under way.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    actionTimeout: 20_000,
    navigationTimeout: 45_000,
    screenshot: 'only-on-failure',
    // Without a film: it takes a third of a core for each browser.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
  },
  projects: [
    { name: 'light', grep: inTheme('light') ? ALL : ONCE, grepInvert: NARROW, use: { colorScheme: 'light' } },
    { name: 'dark', grep: inTheme('dark') ? ALL : NONE, grepInvert: [NARROW, ONCE], use: { colorScheme: 'dark' } },
    { name: 'narrow', grep: NARROW, use: { colorScheme: 'light', viewport: { width: 390, height: 844 } } },
  ],
});
