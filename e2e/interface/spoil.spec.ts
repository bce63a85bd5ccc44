import { describe, expect, it } from '@jest/globals';
import { spoil } from './spoil.js';

const whatIsWrong = (...request: Parameters<typeof spoil>) => spoil(...request).map(({ what }) => what);

describe('a spoiled request', () => {
  it('has a malformed number or the id of a missing record in its path', () => {
    const spoiled = spoil({ path: { id: 'number', name: 'string' } }, { path: { id: '1', name: 'a' } });
    expect(spoiled.map(({ request, status }) => [status, request.path])).toEqual([
      [400, { id: 'x', name: 'a' }],
      [400, { id: '1.5', name: 'a' }],
      [400, { id: '-1', name: 'a' }],
      [404, { id: '1', name: 'x' }],
      [404, { id: '1', name: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    ]);
  });

  it('has invalid texts in its query', () => {
    const query = { page: 'integer, default 1', vault: 'string, req', kind: 'enum A' };
    expect(whatIsWrong({ query }, { query: { vault: 'v' } })).toEqual([
      'query.page = x',
      'query.page = 1.5',
      'query.vault = undefined',
      'query.kind = none-of-these',
    ]);
  });

  it('has other types, missing required fields and excessive lengths in its body', () => {
    expect(whatIsWrong({ body: { name: 'string, req, 1..2' } }, { body: { name: 'a' } })).toEqual([
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
    const spoiled = spoil({ body: { 'data.parts[].id': 'string or null' } }, { body });
    expect(spoiled[0]).toMatchObject({
      field: 'body.data',
      request: { body: { data: { parts: [{ id: 7, more: 1 }] } } },
    });
    expect(spoiled).toHaveLength(5);
    expect(body).toEqual({ data: { parts: [{ id: 'a', more: 1 }] } });
  });

  it('does not exist if the operation accepts anything', () => {
    expect(spoil({ body: { any: 'any', '*': 'any', 'deep.*': 'any' } }, { body: {} })).toEqual([]);
  });
});
