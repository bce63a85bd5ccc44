import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COLUMN_TYPES, type ColumnType } from '../fields/column.js';
import { type Order } from '../fields/field.js';
import { CursorError, decodeCursor, encodeCursor } from './encode-cursor.js';

const orderOf = (...types: ColumnType[]): Order[] =>
  types.map((type) => ({ field: { name: type, column: { name: type, type, sql: 'c1' } }, descending: false }));

const FITTING: Readonly<Record<ColumnType, string>> = {
  text: 'ä "🜁"',
  bigint: '-9223372036854775808',
  double: '1e+300',
  boolean: 'true',
  timestamp: '2026-01-31 12:00:00.123456Z',
  inet: '::ffff:1.2.3.4',
  uuid: '018f2c1e-0000-7000-8000-000000000001',
  json: '{"a": [1, null]}',
};

describe('a cursor', () => {
  it('is decoded to the encoded values, and can be part of a URL', () => {
    const values = [...COLUMN_TYPES.map((type) => FITTING[type]), null];
    const cursor = { key: '42', values };
    const text = encodeCursor(cursor, 'q');
    expect(text).toMatch(/^[\w-]+$/);
    expect(decodeCursor(text, 'q', orderOf(...COLUMN_TYPES, 'text'))).toEqual(cursor);
  });

  it('is rejected for another query', () => {
    const text = encodeCursor({ key: '1', values: ['x'] }, 'q');
    expect(() => decodeCursor(text, 'Q', orderOf('text'))).toThrow(CursorError);
    expect(() => decodeCursor(text, 'q', [])).toThrow(CursorError);
    expect(() => decodeCursor(text, 'q', orderOf('text', 'text'))).toThrow(CursorError);
  });

  it.each([
    ['text', '\0'],
    ['text', '\ud800'],
    ['bigint', '9223372036854775808'],
    ['bigint', '1; --'],
    ['double', 'NaN'],
    ['boolean', 'maybe'],
    ['timestamp', 'now'],
    ['timestamp', 'infinity'],
    ['inet', '10.0.0.0/33'],
    ['uuid', 'x'],
    ['json', '{'],
    ['json', '"\\u0000"'],
    ['json', '["\\ud800"]'],
    ['json', '1e999'],
    ['json', `${'['.repeat(600)}${']'.repeat(600)}`],
  ] as const)('is rejected with a %s that Postgres does not accept: %j', (type, value) => {
    expect(() => decodeCursor(encodeCursor({ key: '1', values: [value] }, 'q'), 'q', orderOf(type))).toThrow(
      CursorError,
    );
  });

  it('is decoded or rejected with a CursorError after any change', () => {
    const text = encodeCursor({ key: '1', values: ['x'] }, 'q');
    fc.assert(
      fc.property(fc.nat(text.length), fc.string({ maxLength: 3 }), (at, piece) => {
        try {
          const { key, values } = decodeCursor(text.slice(0, at) + piece + text.slice(at + 1), 'q', orderOf('text'));
          expect([typeof key, values.length]).toEqual(['string', 1]);
        } catch (error) {
          expect(error).toBeInstanceOf(CursorError);
        }
      }),
    );
  });
});
