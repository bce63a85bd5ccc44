import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeText, showControlCharacters } from './decode-text.js';
import { detectFormat, detectImage } from './detect-format.js';
import { formatHex } from './format-hex.js';
import { findSeparator, readDelimited, readJsonLines } from './read-grid.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('detectFormat', () => {
  it.each([
    ['hosts.csv', 'a,b\n1,2\n', 'csv'],
    ['hosts.tsv', 'a\tb\n', 'tsv'],
    ['result', '{"a":1}\n{"a":2}\n', 'json-lines'],
    ['result.json', '{"a":1}\n{"a":2}\n', 'json-lines'],
    ['result.json', '{"a":1}', 'json'],
    ['result', ' [1, 2]', 'json'],
    ['result', '{ not json', 'text'],
    ['notes.txt', 'hello', 'text'],
    ['empty', '', 'text'],
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image'],
  ])('%s with %j is %s', (name, text, format) => {
    expect(detectFormat(name, encode(text))).toBe(format);
  });

  it('a zero byte means binary, whatever the name says', () => {
    expect(detectFormat('a.csv', Uint8Array.of(97, 44, 0))).toBe('binary');
  });

  it('the first bytes of an image decide, not its name', () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);
    expect(detectImage('notes.txt', png)).toBe('image/png');
    expect(detectImage('picture.png', encode('no picture'))).toBeUndefined();
  });

  it('a text that is cut inside a character stays a text', () => {
    const bytes = encode('é'.repeat(5_000));
    expect(detectFormat('a', bytes.subarray(0, 8_191))).toBe('text');
    expect(decodeText(bytes.subarray(0, 3))).toBe('é');
  });
});

describe('readDelimited', () => {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'ü') }).filter((text) => text !== '');

  it('reads what a writer of RFC 4180 has written', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (records) => {
        const text = records.map((record) => record.map(quote).join(',')).join('\r\n');
        const [header, ...rows] = records;
        expect(readDelimited(text, ',', false)).toEqual({ columns: header, rows });
      }),
    );
  });

  it('drops the last row of a cut text, and keeps short and long rows', () => {
    expect(readDelimited('a,b\n1\n1,2,3\n4,', ',', true)).toEqual({
      columns: ['a', 'b', 'Column 3'],
      rows: [['1'], ['1', '2', '3']],
    });
  });

  it('skips empty lines and the byte order mark', () => {
    expect(readDelimited('\uFEFFa;b\n\n1;\n', findSeparator('a;b'), false)).toEqual({
      columns: ['a', 'b'],
      rows: [['1', '']],
    });
  });

  it('never fails, and always ends', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r') });
    fc.assert(fc.property(text, fc.boolean(), (value, isCut) => void readDelimited(value, ',', isCut)));
  });
});

it('readJsonLines collects the columns of all lines', () => {
  expect(readJsonLines('{"host":"a","port":80}\n\nnot json\n{"host":"b","tags":["x"]}\n7\n{"cut', true)).toEqual({
    columns: ['host', 'port', 'tags', 'value'],
    rows: [
      ['a', '80', undefined, undefined],
      ['b', undefined, '["x"]', undefined],
      [undefined, undefined, undefined, '7'],
    ],
  });
});

it('formatHex writes offset, bytes and characters', () => {
  expect(formatHex(encode('Millrace\n0123456789'))).toBe(
    '00000000  4d 69 6c 6c 72 61 63 65  0a 30 31 32 33 34 35 36  |Millrace.0123456|\n' +
      '00000010  37 38 39                                          |789|',
  );
});

it('showControlCharacters makes escapes visible, and keeps tabs and lines', () => {
  expect(showControlCharacters('a\u001b[31mb\tc\r\nd\u0000')).toBe('a␛[31mb\tc\nd␀');
});
