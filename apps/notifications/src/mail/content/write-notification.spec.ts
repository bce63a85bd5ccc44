import { describe, expect, it } from '@jest/globals';
import type { MailDetails } from './mail-details.js';
import { writeNotification } from './write-notification.js';

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

describe('the mail of a change that a user follows', () => {
  const link = 'https://m.example/solutions/1/views/2';
  const follow = { kind: 'view' as const, name: 'Big at evil.example', path: '/api/solutions/1/views/2/follow' };
  const table = {
    caption: 'The first 2 of 7 matching rows:',
    columns: ['', 'host', 'port'],
    rows: [
      ['new', 'db', '5432'],
      ['changed', '<i>web</i>', ''],
    ],
    hiddenColumns: 2,
  };
  const write = (details: MailDetails) => writeNotification({ title: 't', message: 'm', link, details });

  it('has its rows as a table, in text and in HTML', () => {
    const { text, html } = write({ table, follow });
    expect(text).toContain(
      [
        'm',
        '',
        'The first 2 of 7 matching rows:',
        '',
        '         host        port',
        '-------  ----------  ----',
        'new      db          5432',
        'changed  <i>web</i>',
        '',
        '2 more columns are not shown.',
        '',
        'Open this page',
      ].join('\n'),
    );
    const cells = [...html.matchAll(/<t[hd] [^>]*>([^<]*)<\/t[hd]>/g)].map(([, cell]) => cell);
    expect(cells).toEqual(['', 'host', 'port', 'new', 'db', '5432', 'changed', '&lt;i&gt;web&lt;/i&gt;', '']);
    expect(html).toContain('2 more columns are not shown.');
    // A parser ends a paragraph at a table.
    expect(html.replaceAll(/<p [^>]*>[^]*?<\/p>/g, '')).toContain('<table');
  });

  it('explains how to stop following, and does not mention settings', () => {
    const { text, html } = write({ table, follow });
    expect(text).toMatch(/\nYou receive this mail because you follow the view "Big at evil\. example" in Millrace\. /);
    expect(text).toContain(
      'To stop, choose "Stop following" in the menu "Following" of the page, or send DELETE /api/solutions/1/views/2/follow to the API.',
    );
    for (const part of [text, html]) expect(part).not.toContain('settings');
    expect(html).toContain('send DELETE /api/solutions/1/views/2/follow');
  });

  it('contains no line break and no link from a row', () => {
    const evil = 'https://evil.example/in\r\n\u202eSign in at www.evil.example';
    const { text, html } = write({ table: { ...table, columns: ['', evil], rows: [['new', evil]] }, follow });
    for (const part of [text, html]) {
      expect(part).not.toMatch(/evil\.example|:\/\/evil|\u202e/);
      expect(part).toContain('https evil. example/in Sign in at www. evil. example');
    }
  });

  it('has no table without rows', () => {
    const { text, html } = write({ follow });
    expect(text).toContain('m\n\nOpen this page');
    expect(html).not.toContain('<table');
  });
});
