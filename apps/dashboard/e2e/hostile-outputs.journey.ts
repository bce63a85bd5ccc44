import { readFile } from 'node:fs/promises';
import { expectAccessible } from './support/expect-accessible.js';
import { startRun } from './support/start-run.js';
import { expect, test } from './support/test.js';

const HTML = '<img src=x onerror=alert(1)>.txt';
const RIGHT_TO_LEFT = 'تقرير 📦.txt';
/** 50 MB of JSON, and names that no browser must interpret. */
const SOURCE = `{ echo '['; yes '{"host":"example.org","tags":["a","b"],"up":true},' | head -n 1000000; echo '0]'; } > out/big.json
echo html > 'out/${HTML}'
echo right > 'out/${RIGHT_TO_LEFT}'
echo '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script></svg>' > out/picture.svg`;

test(
  'outputs with hostile names and 50 MB of JSON are previewed and downloaded',
  { tag: '@once' },
  async ({ account, signedIn: page }) => {
    const run = await startRun(account, {
      name: 'Hostile',
      nodes: { 'make-1': { type: 'SCRIPT', script: { source: SOURCE } } },
    });
    expect((await account.client.runs.wait(run.id)).status).toBe('COMPLETED');
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const sizes: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/download')) sizes.push(Number(response.headers()['content-length']));
    });
    const open = async (name: string) => page.getByRole('button', { name: `make ${name}` }).click();

    await page.goto(`/runs/${run.id}?view=outputs`);
    await open('big.json');
    await expect(page.getByText(/^The first 256 kB of 5\d(\.\d)? MB$/)).toBeVisible();
    await expect(page.getByText('"host":"example.org"').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Download all of it' })).toBeVisible();
    await expectAccessible(page);
    await open('big.json');
    await open(HTML);
    await expect(page.getByText('html', { exact: true })).toBeVisible();
    await open(RIGHT_TO_LEFT);
    await expect(page.getByText('right', { exact: true })).toBeVisible();
    await open('picture.svg');
    await expect(page.getByRole('img', { name: 'picture.svg' })).toBeVisible();
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(1_000_000);
    expect(dialogs).toEqual([]);

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download all', exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`Hostile-run-${run.id}.zip`);
    const archive = await readFile(await download.path());
    for (const name of ['big.json', HTML, RIGHT_TO_LEFT])
      expect(archive.includes(Buffer.from(`make/${name}`))).toBe(true);
    expect(archive.length).toBeGreaterThan(50_000_000);
  },
);
