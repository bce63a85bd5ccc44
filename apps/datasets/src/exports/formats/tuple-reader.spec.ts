import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TupleReader, type TupleValue } from './tuple-reader.js';

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = Buffer.from([0xff, 0xff]);

/** A row of a number and a text in the form of Postgres. */
function tuple([number, text]: [bigint, string | null]): Buffer {
  const bytes = Buffer.from(text ?? '');
  const head = Buffer.alloc(2 + 4 + 8 + 4);
  head.writeInt16BE(2, 0);
  head.writeInt32BE(8, 2);
  head.writeBigInt64BE(number, 6);
  head.writeInt32BE(text === null ? -1 : bytes.length, 14);
  return Buffer.concat([head, bytes]);
}

function read(pieces: Buffer[]): TupleValue[][] {
  const rows: TupleValue[][] = [];
  const reader = new TupleReader(['bigint', 'text'], (values) => rows.push(values));
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return rows;
}

/** The same bytes, split at these positions. */
function cut(content: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % content.length).sort((a, b) => a - b), content.length];
  return at.slice(1).map((end, index) => content.subarray(at[index], end));
}

describe('rows in binary form', () => {
  const row = fc.tuple(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.option(fc.string({ unit: 'binary' })));

  it('are the same for any chunk boundaries', () => {
    const property = fc.property(fc.array(row), fc.array(fc.nat()), (rows, places) => {
      const content = Buffer.concat([HEADER, ...rows.map(tuple), END]);
      expect(read(cut(content, places))).toEqual(rows);
    });
    fc.assert(property);
  });

  it('cause an error if the last one is incomplete', () => {
    const content = Buffer.concat([HEADER, tuple([1n, 'a text'])]);
    for (let length = 0; length <= content.length; length += 1) {
      expect(() => read([content.subarray(0, length)])).toThrow('The last row is incomplete');
    }
  });
});
