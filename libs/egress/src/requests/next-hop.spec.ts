import { describe, expect, it } from '@jest/globals';
import { nextHop, readHop, redactUrl } from './next-hop.js';

const SECRET = { authorization: 'Bearer x', cookie: 'a=b', accept: 'text/plain' };

describe('a redirect', () => {
  it('to the same origin sends all headers', () => {
    const hop = nextHop(readHop('https://u:p%40@a.org/x?q#f', {}), '/y');
    expect(hop.url.href).toBe('https://a.org/y');
    expect(hop.headers).toEqual({ authorization: `Basic ${Buffer.from('u:p@').toString('base64')}` });
  });

  it.each(['https://b.org/', 'https://a.org:444/', '//b.org'])('to %s sends no credentials', (location) => {
    expect(nextHop(readHop('https://a.org/', SECRET), location).headers).toEqual({ accept: 'text/plain' });
  });

  it.each(['http://a.org/', 'file:///etc/passwd', 'gopher://a.org/', 'javascript:0'])(
    'to %s is rejected',
    (location) => {
      expect(() => nextHop(readHop('https://a.org/', {}), location)).toThrow(/redirected/);
    },
  );

  it('ignores credentials in its location', () => {
    const { url, headers } = nextHop(readHop('https://a.org/', {}), 'https://u:p@b.org/');
    expect([url.href, headers]).toEqual(['https://b.org/', {}]);
  });
});

it('redactUrl removes everything that may be secret', () => {
  expect(redactUrl('https://user:hunter2@a.org/b?token=s3cret#x')).toBe('https://a.org/b');
});
