import { describe, expect, it } from '@jest/globals';
import { toPlainLine } from './plain-text.js';
import { writeLetter, writeNotification } from './write-letter.js';

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

it('the mail of a notification has its message as text and HTML, with the link to its page', () => {
  const page = 'https://m.example/runs/7';
  const message = 'Run "a" of <b>Scan</b> failed after 1.0 s:\n exit code 1\u202e';
  const { subject, text, html } = writeNotification({ title: 'Scan failed\r\nBcc: x@y.z', message, link: page });
  expect(subject).toBe('Scan failed Bcc: x@y. z');
  expect(text).toContain('Run "a" of <b>Scan</b> failed after 1.0 s: exit code 1\n');
  expect(text).toContain(`\n${page}\n`);
  expect(html).toContain('of &lt;b&gt;Scan&lt;/b&gt; failed');
  expect(html).toContain(`href="${page}"`);
});

it.each(['https://evil.example/in', 'www.evil.example', 'http://10.1.2.3', 'pay@evil.example', 'evil。example'])(
  'the mail of a notification contains no link of a user: %s',
  (evil) => {
    const message = `Run "Sign in at ${evil}" of Scan failed after 1.0 s`;
    const { subject, text, html } = writeNotification({
      title: `${evil} failed`,
      message,
      link: 'https://m.example/r',
    });
    for (const part of [subject, text, html]) {
      const links = part.match(/\w+:\/\/\S+|[\p{L}\d-]+([.。][\p{L}\d-]+){2,}|\p{L}+[.。]\p{L}+/gu) ?? [];
      expect(links.filter((link) => !link.includes('m.example'))).toEqual([]);
    }
    expect(text).toContain('failed after 1.0 s');
  },
);

it('a long name is cut, never inside a character', () => {
  const cut = toPlainLine(`${'a'.repeat(99)}😀${'b'.repeat(100)}`);
  expect(cut.isWellFormed()).toBe(true);
  expect(cut.length).toBeLessThanOrEqual(102);
});
