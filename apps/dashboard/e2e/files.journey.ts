import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/expect-accessible.js';
import { expect, test } from './support/test.js';

/** Drops files and folders of the disk on the middle of the page, as a file manager does. */
async function dropOn(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 500, data });
}

test(
  'a dropped folder is uploaded, its files are previewed, and one is deleted',
  { tag: '@once' },
  async ({ signedIn: page }, info) => {
    const folder = join(info.outputDir, 'scan');
    await mkdir(join(folder, 'raw'), { recursive: true });
    await writeFile(join(folder, 'hosts.csv'), 'host,port\nalpha.test,443\nbeta.test,8443\n');
    await writeFile(join(folder, 'raw', 'answer.json'), '{"status":{"code":200}}');

    await page.goto('/files');
    await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible();
    await dropOn(page, [folder]);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await expect(uploads.getByRole('status')).toHaveText('Uploaded 2 files');

    await page.getByRole('link', { name: 'scan' }).click();
    await page.getByRole('link', { name: 'hosts.csv' }).click();
    await expect(page.getByRole('cell', { name: 'beta.test' })).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole('cell', { name: 'beta.test' })).toBeVisible();

    await page.getByRole('link', { name: 'raw' }).click();
    await page.getByRole('link', { name: 'answer.json' }).click();
    await expect(page.getByText('status:')).toBeVisible();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await downloading).suggestedFilename()).toBe('answer.json');

    // Several at once, in the folder above.
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'scan' }).click();
    await page.getByLabel('Select hosts.csv').check();
    await page.getByLabel('Select raw').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1 folder and 1 file?' });
    await expect(dialog.getByRole('listitem')).toHaveText([/^raw/, /^hosts\.csv\s*40 B/]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'raw' }).click();
    await page.getByRole('link', { name: 'answer.json' }).click();
    await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'This folder is empty' })).toBeVisible();
  },
);
