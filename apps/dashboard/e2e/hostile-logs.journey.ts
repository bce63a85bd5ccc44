import { expectAccessible } from './support/expect-accessible.js';
import { startRun } from './support/start-run.js';
import { expect, test } from './support/test.js';

/** Control characters, colours, text that runs from right to left, a progress bar and a line of 1 MB, in a second. */
const HOSTILE = String.raw`printf 'nul \000 bell \007 \033[31mred\033[0m \033[2J\033[5Aup \377\n'
printf '\330\247\331\204\330\263\331\204\330\247\331\205 \342\200\256live <b>markup</b>\n'
head -c 1000000 /dev/zero | tr '\0' 'x'; echo
i=0; while [ $i -le 300 ]; do printf 'downloading part %d of 300\r' $i; i=$((i+1)); done; echo
sleep 0.8
seq 1 100000`;

test(
  'a hostile log is harmless, and shows when its lines were written',
  { tag: '@once' },
  async ({ account, signedIn: page }) => {
    const run = await startRun(account, {
      name: 'Hostile log',
      nodes: { 'hostile-1': { type: 'SCRIPT', script: { source: HOSTILE } } },
    });
    await page.goto(`/runs/${run.id}`);
    await page.getByRole('treeitem', { name: /hostile/ }).click();
    await page.getByRole('tab', { name: 'Logs' }).click();
    const log = page.getByRole('region', { name: 'Log' });
    await expect(log).toContainText('100000');

    await page.goto(`${page.url()}&line=1`);
    const lineOf = (number: number) => log.locator(`[data-line="${number}"]`);
    await expect(lineOf(1)).toContainText('nul ␀ bell ␇ red up �');
    await expect(lineOf(2)).toContainText('السلام �live <b>markup</b>');
    await expect(lineOf(4)).toContainText('downloading part 300 of 300');
    await lineOf(3).getByRole('button', { name: /more/ }).click();
    await expect(page.getByRole('dialog')).toContainText('The first 200 kB.');
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Times of lines' }).click();
    await expect(lineOf(1)).toContainText(/\+0\.\d\d s/);
    await expect(lineOf(5)).toContainText(/\+[01]\.\d\d s/);
    const times = await Promise.all(
      [lineOf(4), lineOf(5)].map(async (line) => Number(/\+(\d+\.\d+) s/.exec(await line.innerText())?.[1])),
    );
    expect(times[1]).toBeGreaterThan(times[0] ?? Infinity);
    await expectAccessible(page);
  },
);
