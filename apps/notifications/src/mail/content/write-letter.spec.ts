import { describe, expect, it } from '@jest/globals';
import { toPlainLine } from './plain-text.js';
import { writeLetter } from './write-letter.js';

const link = 'https://m.example/invitations/accept?token=a&b=c';
const invitation = (changes: { vault?: string; invitedBy?: string } = {}) =>
  writeLetter({
    template: 'invitation',
    to: 'x@y.z',
    vault: 'Blue team',
    invitedBy: 'Ada',
    link,
    expiresAt: '2026-11-28T10:00:00.000Z',
    ...changes,
  });

describe('a letter', () => {
  it('has the same content as text and as HTML', () => {
    const { subject, text, html } = invitation();
    expect(subject).toBe('Ada invites you to Blue team');
    expect(text).toContain(`"Blue team" on Millrace.`);
    expect(text).toContain(`by 28 November 2026:\n${link}\n`);
    expect(html).toContain('the vault <b>Blue team</b>');
    expect(html).toContain('valid until 28 November 2026');
    expect(html).toContain('href="https://m.example/invitations/accept?token=a&amp;b=c"');
  });

  it('shows markup in names as text', () => {
    const { html } = invitation({ vault: `<img src="x" onerror='y'>&` });
    expect(html).not.toContain('<img');
    expect(html).toContain('<b>&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;</b>');
  });

  it('contains no line break or link from a name', () => {
    const { subject, text } = invitation({
      invitedBy: 'Bank\r\nBcc: all@example.org\n\nPay at https://evil.example/now',
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text.split('\n')[0]).toContain('Bank Bcc: all@example. org Pay at https evil. example/now invites you');
    expect(text).not.toContain('evil.example');
  });

  it.each(['password_changed', 'mfa_enabled', 'mfa_disabled'] as const)('reports %s', (what) => {
    const { subject, text, html } = writeLetter({ template: 'account_changed', to: 'x@y.z', name: 'Ada', what });
    expect(subject.length).toBeGreaterThan(10);
    expect(text).toMatch(/^Hello Ada,\n\n.+\n\nIf you made this change, you can ignore this mail\./);
    expect(html).toContain('Hello Ada,');
  });

  it('for a new password contains its link', () => {
    const { text, html } = writeLetter({ template: 'password_reset', to: 'x@y.z', name: 'Ada', link });
    expect(text).toContain(`\n${link}\n`);
    expect(html).toContain('Set a new password</a>');
  });
});

it('a long name is cut, never inside a character', () => {
  const cut = toPlainLine(`${'a'.repeat(99)}😀${'b'.repeat(100)}`);
  expect(cut.isWellFormed()).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(102);
});
