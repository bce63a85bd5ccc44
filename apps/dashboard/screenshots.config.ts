import { defineConfig } from '@playwright/test';
import config from './playwright.config.js';

/** `npm run screenshots`: the pictures of pages, in both themes. */
export default defineConfig({
  ...config,
  testDir: 'e2e/screenshots',
  testMatch: '**/*.shots.ts',
  projects: [
    { name: 'light', use: { colorScheme: 'light' } },
    { name: 'dark', use: { colorScheme: 'dark' } },
  ],
});
