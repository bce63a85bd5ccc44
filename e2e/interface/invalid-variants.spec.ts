import { describe, expect, it } from '@jest/globals';
import { invalidVariants } from './invalid-variants.js';

const changesOf = (...request: Parameters<typeof invalidVariants>) =>
  invalidVariants(...request).map(({ change }) => change);

describe('an invalid variant of a request', () => {
  it('has a malformed number or the id of a missing record in its path', () => {
    const variants = invalidVariants({ path: { id: 'number', name: 'string' } }, { path: { id: '1', name: 'a' } });
    expect(variants.map(({ request, status }) => [status, request.path])).toEqual([
      [400, { id: 'x', name: 'a' }],
      [400, { id: '1.5', name: 'a' }],
      [400, { id: '-1', name: 'a' }],
      [404, { id: '1', name: 'x' }],
      [404, { id: '1', name: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ]);
  });

  it('has invalid texts in its query', () => {
    const query = { page: 'integer, default 1', vault: 'string, req', kind: 'enum A' };
    expect(changesOf({ query }, { query: { vault: 'v' } })).toEqual([
      'query.page = x',
      'query.page = 1.5',
      'query.vault = undefined',
      'query.kind = none-of-these',
    ]);
  });

  it('has other types, missing required fields and excessive lengths in its body', () => {
    expect(changesOf({ body: { name: 'string, req, 1..2' } }, { body: { name: 'a' } })).toEqual([
      'body.name = undefined',
      'body.name = "text"',
      'body.name = 7',
      'body.name = 1.5',
      'body.name = true',
      'body.name = {}',
      'body.name = ["x"]',
      'body.name = null',
      'body.name = "xxx"',
      'body.name = ""',
    ]);
  });

  it('may differ deep in its body, without changes to the rest or the original', () => {
    const body = { data: { parts: [{ id: 'a', more: 1 }] } };
    const variants = invalidVariants({ body: { 'data.parts[].id': 'string or null' } }, { body });
    expect(variants[0]).toMatchObject({
      field: 'body.data',
      request: { body: { data: { parts: [{ id: 7, more: 1 }] } } },
    });
    expect(variants).toHaveLength(5);
    expect(body).toEqual({ data: { parts: [{ id: 'a', more: 1 }] } });
  });

  it('does not exist if the operation accepts anything', () => {
    expect(invalidVariants({ body: { any: 'any', '*': 'any', 'deep.*': 'any' } }, { body: {} })).toEqual([]);
  });
});
