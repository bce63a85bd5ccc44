import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { detectJsonLines } from './detect-json-lines.js';

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('the beginning of a file', () => {
  it('is a table if each line is a JSON object, and its columns have the types of all their values', () => {
    const rows = [
      { host: 'a', port: 443, score: 1, ip: '10.0.0.1', tags: ['x'], ok: true, none: null },
      { host: 'b', port: null, score: 1.5, ip: 'none', more: { a: 1 } },
    ];
    expect(detectJsonLines(lines(...rows), true)).toEqual({
      columns: [
        { name: 'host', type: 'text' },
        { name: 'port', type: 'bigint' },
        { name: 'score', type: 'double' },
        { name: 'ip', type: 'text' },
        { name: 'tags', type: 'json' },
        { name: 'ok', type: 'boolean' },
        { name: 'none' },
        { name: 'more', type: 'json' },
      ],
      sample: rows,
    });
  });

  it('has a sample of five rows', () => {
    const head = detectJsonLines(lines(...Array.from({ length: 9 }, (_, n) => ({ n }))), true);
    expect(head?.sample).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })));
  });

  it('may have empty lines, a byte order mark, and no end of its last line', () => {
    expect(detectJsonLines('\uFEFF{"a": 1}\r\n\n  \n{"a": 2}', true)?.sample).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('is used up to the last complete line if the file continues', () => {
    expect(detectJsonLines('{"a": 1}\n{"a": 2}\n{"a":', false)?.sample).toEqual([{ a: 1 }, { a: 2 }]);
    expect(detectJsonLines('{"a": 1}', false)).toBeNull();
    expect(detectJsonLines('{"a": 1}\n{"a":', true)).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['empty lines', '\n \n'],
    ['text', 'host,port\na,443\n'],
    ['an object, another text and an object', '{"a": 1}\nnot\n{"a": 2}\n'],
    ['an array', '[{"a": 1}]\n'],
    ['numbers', '1\n2\n'],
    ['null', 'null\n'],
    ['objects without names', '{}\n{}\n'],
    ['an empty name', '{"": 1}\n'],
    ['a name that is too long', lines({ ['x'.repeat(1001)]: 1 })],
    ['too many names', lines(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, n])))],
    ['a value that Postgres cannot store', lines({ a: '\0' })],
    ['a value that is nested too deeply', `{"a": ${'['.repeat(200)}${']'.repeat(200)}}\n`],
  ])('is not a table if it is %s', (_, text) => {
    expect(detectJsonLines(text, true)).toBeNull();
  });

  it('keeps all names unmodified', () => {
    const head = detectJsonLines('{"__proto__": 1, "constructor": "x", "ä": 2}\n', true);
    expect(head?.columns.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'ä']);
  });

  it('never fails', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isWhole) => void detectJsonLines(text, isWhole)),
    );
  });
});
