import { expect, it } from '@jest/globals';
import { findReservedKey } from './find-reserved-key.js';

it.each([
  ['{"__proto__":{}}', 'body.__proto__'],
  ['{"__proto__":1}', 'body.__proto__'],
  ['{"a":[{"b":{"__proto__":{}}}]}', 'body.a.0.b.__proto__'],
  ['[{"__proto__":null}]', 'body.0.__proto__'],
  ['{"constructor":{"prototype":{}}}', 'body.constructor'],
  ['{"\\u005f_proto__":{}}', 'body.__proto__'],
])('the body %s has the reserved key %s', (text, path) => {
  expect(findReservedKey(text)).toBe(path);
});

it.each(['{"constructor":{"a":1}}', '{"constructor":1,"prototype":{}}', '{"a":"__proto__"}', 'null', '3', '{', '{"a"'])(
  'the body %s has no reserved key',
  (text) => expect(findReservedKey(text)).toBeNull(),
);

it('a body that is nested deeply is searched to its end', () => {
  const depth = 50_000;
  const text = `${'{"a":'.repeat(depth)}{"__proto__":{}}${'}'.repeat(depth)}`;
  expect(findReservedKey(text)?.endsWith('.a.__proto__')).toBe(true);
});
