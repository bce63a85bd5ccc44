import { describe, expect, it } from '@jest/globals';
import { buildUrl, normalizeBase } from './build-url.js';

describe('the URL of an operation', () => {
  it('contains the path parameters, encoded', () => {
    expect(buildUrl('http://a:1', '/runs/{id}/subjobs/{subjobId}', { id: '7', subjobId: 'a/b c' }, {})).toBe(
      'http://a:1/api/runs/7/subjobs/a%2Fb%20c',
    );
  });

  it('contains the query parameters that are defined', () => {
    const url = buildUrl('http://a', '/runs', {}, { page: 2, search: 'x y&z', status: undefined, named: true });
    expect(url).toBe('http://a/api/runs?page=2&search=x+y%26z&named=true');
  });

  it.each([[''], ['.'], ['..'], [undefined]])('cannot be built with %p as a path parameter', (id) => {
    expect(() => buildUrl('http://a', '/runs/{id}', { id }, {})).toThrow(TypeError);
  });
});

it('a base URL may end in a slash or in /api', () => {
  for (const base of ['http://a:1', 'http://a:1/', 'http://a:1/api', 'http://a:1/api//']) {
    expect(normalizeBase(base)).toBe('http://a:1');
  }
});
