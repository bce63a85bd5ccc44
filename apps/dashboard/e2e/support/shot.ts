import { join } from 'node:path';
import { test, type Page } from '@playwright/test';

const FOLDER = join(import.meta.dirname, '../../screenshots');

/** Writes a picture of the page to `screenshots/<theme>/<name>.png`, after its fonts are loaded. */
export async function shot(page: Page, name: string): Promise<void> {
  await page.evaluate(async () => document.fonts.ready);
  const path = join(FOLDER, test.info().project.name, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
}

/** Opens a page and writes a picture of it. It has settled if nothing was requested for half a second; streams do not count. */
export async function openShot(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(700);
  await shot(page, name);
}
