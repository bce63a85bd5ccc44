import { describe, expect, it } from '@jest/globals';
import { buildUrl, normalizeBase } from './build-url.js';

describe('the address of an operation', () => {
  it('has its parameters filled in and encoded', () => {
    expect(buildUrl('http://a:1', '/runs/{id}/subjobs/{subjobId}', { id: '7', subjobId: 'a/b c' }, {})).toBe(
      'http://a:1/api/runs/7/subjobs/a%2Fb%20c',
    );
  });

  it('carries the query without what is absent', () => {
    const url = buildUrl('http://a', '/runs', {}, { page: 2, search: 'x y&z', status: undefined, named: true });
    expect(url).toBe('http://a/api/runs?page=2&search=x+y%26z&named=true');
  });

  it.each([[''], ['.'], ['..'], [undefined]])('refuses %p as a part of the path', (id) => {
    expect(() => buildUrl('http://a', '/runs/{id}', { id }, {})).toThrow(TypeError);
  });
});

it('a base URL may end in a slash or in /api', () => {
  for (const base of ['http://a:1', 'http://a:1/', 'http://a:1/api', 'http://a:1/api//']) {
    expect(normalizeBase(base)).toBe('http://a:1');
  }
});
