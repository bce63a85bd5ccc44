import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { findDeadLinks } from './find-dead-links.mjs';

const folder = mkdtempSync(join(tmpdir(), 'dead-links-'));
afterAll(() => rmSync(folder, { recursive: true }));

const find = (/** @type {string} */ text) => {
  writeFileSync(join(folder, 'page.md'), `# First heading\n\n${text}\n`);
  return findDeadLinks(folder, 'page.md');
};

describe('a link in a page', () => {
  it.each([
    '[x](gone.md)',
    '[x](gone.md "Title")',
    "[x](gone.md 'Title')",
    '[x](<gone.md>)',
    '[x][ref]\n\n[ref]: gone.md',
    '[x][ref]\n\n[ref]: <gone.md> "Title"',
    '<a href="gone.md">x</a>',
    "<a class='y' href='gone.md'>x</a>",
    '<img src="gone.md">',
  ])('to a missing file is reported: %j', (text) => {
    expect(find(text)).toEqual(['page.md: the link to gone.md leads nowhere: no such file']);
  });

  it('to a missing heading is reported', () => {
    expect(find('[x](#second-heading "Title")')).toEqual([
      'page.md: the link to #second-heading leads nowhere: no such heading',
    ]);
  });

  it.each([
    '[x](page.md#first-heading "Title")',
    '[x][ref]\n\n[ref]: #first-heading',
    '<a href="https://example.org/gone.md">x</a>',
    '`[x](gone.md)`',
    '```\n[ref]: gone.md\n```',
  ])('is not reported if it is valid, leads to another site, or is code: %j', (text) => {
    expect(find(text)).toEqual([]);
  });
});
