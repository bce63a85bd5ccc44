import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { VolatileValues } from './replace-volatile.js';

const respond = (value: unknown) => ({ response: { type: 'application/json', value } });
const [first, second] = [randomUUID(), randomUUID()];

it('VolatileValues replaces the same id by the same stand-in, in all examples', () => {
  const values = new VolatileValues();
  const [a, b] = ['01996a52-0000-7000-8000-000000000001', '01996a52-0000-7000-8000-000000000002'];
  expect(values.replaceIn(respond({ workflow: first, space: second }))).toEqual(respond({ workflow: a, space: b }));
  expect(values.replaceIn(respond({ again: `file/${second}` }))).toEqual(respond({ again: `file/${b}` }));
});

it('VolatileValues replaces a secret also within other texts', () => {
  const token = 'a-very-secret-token';
  const { response } = new VolatileValues().replaceIn(
    respond({ token, url: `http://127.0.0.1:4000/api/hooks/${token}` }),
  );
  expect(response?.value).toEqual({
    token: 'example-token-1',
    url: 'https://millrace.example.org/api/hooks/example-token-1',
  });
});

it('VolatileValues replaces numeric ids, emails, names, times and measurements', () => {
  const value = {
    id: '731',
    message: 'Run 731 has ended',
    email: `guest-${first}@example.org`,
    name: `e2e ${second}`,
    created_date: '2031-05-06T07:08:09.123Z',
    duration_ms: 17,
  };
  expect(new VolatileValues().replaceIn(respond(value)).response?.value).toEqual({
    id: '1001',
    message: 'Run 1001 has ended',
    email: 'user1@example.org',
    name: 'Example 1',
    created_date: '2026-01-15T09:00:00.000Z',
    duration_ms: 1_200,
  });
});

it('VolatileValues shortens long arrays', () => {
  expect(new VolatileValues().replaceIn(respond([1, 2, 3, 4, 5])).response?.value).toEqual([1, 2, 3]);
});
