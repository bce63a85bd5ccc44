import { expect, it } from '@jest/globals';
import { createSessionId, readSessionId, toUserAgent } from './session-id.js';

it('a session id names its client, and another text names none', () => {
  const client = { name: 'Näme', version: '1' };
  const id = createSessionId(client);
  expect(id).toMatch(/^[\x21-\x7e]+$/);
  expect(readSessionId(id)).toEqual(client);
  for (const bad of [
    '',
    'x',
    `${id}!`,
    id.slice(0, 40),
    `${id.split('.')[0]}.${Buffer.from('{}').toString('base64url')}`,
  ])
    expect(readSessionId(bad)).toBeNull();
});

it('a user agent has only characters of a header', () => {
  expect(toUserAgent({ name: 'a (b)\r\nx: y', version: 'ü1' })).toBe('millrace-mcp (a bx: y 1)');
  expect([toUserAgent(null), toUserAgent({ name: '', version: '1' })]).toEqual(['millrace-mcp', 'millrace-mcp']);
});
