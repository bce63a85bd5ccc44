import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readRows } from './read-copy-file.mjs';

/** @param {string[]} chunks @param {number[]} indexes */
async function read(chunks, indexes) {
  const rows = [];
  for await (const row of readRows(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), indexes)) rows.push(row);
  return rows;
}

describe('readRows', () => {
  it('returns the chosen columns of each row, and null for missing values', async () => {
    expect(await read(['1\ta\t\\N\n2\t\tc\n'], [2, 1])).toEqual([
      [null, 'a'],
      ['c', ''],
    ]);
  });

  it('decodes the escapes of COPY', async () => {
    expect(await read([String.raw`a\tb\nc\\d\re\\N` + '\n'], [0])).toEqual([['a\tb\nc\\d\re\\N']]);
  });

  it('joins rows and characters that are divided between chunks', async () => {
    const bytes = Buffer.from('ü1\tx\nü2\ty\n');
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    const rows = [];
    for await (const row of readRows(Readable.from(pieces), [0, 1])) rows.push(row);
    expect(rows).toEqual([
      ['ü1', 'x'],
      ['ü2', 'y'],
    ]);
  });

  it('separates rows at newlines only', async () => {
    expect(await read(['a\u2028b\rc\n'], [0])).toEqual([['a\u2028b\rc']]);
  });

  it('returns null for a column that the table does not have', async () => {
    expect(await read(['1\n'], [-1])).toEqual([[null]]);
  });
});
