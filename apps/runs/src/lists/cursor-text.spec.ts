import { describe, expect, it } from '@jest/globals';
import { parseCursor, writeCursor } from './cursor-text.js';

const KEYS = [
  { field: 'startedAt', type: 'date', isNullable: true },
  { field: 'task', type: 'number' },
  { field: 'path', type: 'text' },
  { field: 'id', type: 'bigint' },
] as const;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it.each([[new Date('2026-11-25T22:00:00.123Z')], [null]])('has the values of the last record (%p)', (startedAt) => {
    const place = { fingerprint: 'f', count: 3, values: [startedAt, 7, 'a"é', 12345678901234567n] };
    expect(parseCursor(writeCursor(place), KEYS)).toEqual(place);
  });

  it.each([
    ['no cursor'],
    [''],
    [encode(null)],
    [encode({ a: 1 })],
    [encode(['f', 3])],
    [encode([1, 3, null, 7, 'a', '1'])],
    [encode(['f', -1, null, 7, 'a', '1'])],
    [encode(['f', 3, 'yesterday', 7, 'a', '1'])],
    [encode(['f', 3, '9999-99-99T', 7, 'a', '1'])],
    [encode(['f', 3, null, 7.5, 'a', '1'])],
    [encode(['f', 3, null, 2 ** 31, 'a', '1'])],
    [encode(['f', 3, null, null, 'a', '1'])],
    [encode(['f', 3, null, 7, 'a\0', '1'])],
    [encode(['f', 3, null, 7, 'a', '-1'])],
    [encode(['f', 3, null, 7, 'a', '9'.repeat(19)])],
    [encode(['f', 3, null, 7, 'a', '1', 'more'])],
  ])('that no page had is refused (%s)', (cursor) => {
    expect(() => parseCursor(cursor, KEYS)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  });
});
