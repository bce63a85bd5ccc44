import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { countMails, formatMail } from './count-mails.mjs';

const folder = mkdtempSync(join(tmpdir(), 'mails-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('countMails', () => {
  it('counts the mails in a folder, and returns 0 for a missing folder', () => {
    expect(countMails(join(folder, 'mail'))).toBe(0);
    for (const name of ['a.eml', 'b.eml', '.c.draft']) writeFileSync(join(folder, name), '');
    expect(countMails(folder)).toBe(2);
  });

  it('returns undefined for a path that is not a folder', () => {
    expect(countMails(join(folder, 'a.eml'))).toBeUndefined();
  });
});

describe('formatMail', () => {
  it.each([
    [0, '0 mails'],
    [1, '1 mail'],
    [undefined, 'not readable by this user'],
  ])('describes a count of %s', (count, text) => {
    expect(formatMail('/mail', count)).toBe(`  Mail       /mail (${text}; set SMTP_URL to send them)`);
  });
});
