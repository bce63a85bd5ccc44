import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Format } from './detect-format.js';
import { isRawJson } from './parse-json.js';
import { isRejection, MAX_ROW_BYTES, type ParsedRow } from './raw-row.js';
import { readRows } from './read-rows.js';

interface ReadOptions {
  name?: string;
  format?: Format;
  /** Size of a chunk in bytes. */
  chunk?: number;
}

async function read(
  content: string | Buffer,
  { name = '', format, chunk = 7 }: ReadOptions = {},
): Promise<ParsedRow[]> {
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk, (at + 1) * chunk),
  );
  const source = {
    name,
    format: format ?? null,
    encoding: null,
    size: bytes.length,
    open: () => Readable.from(chunks, { objectMode: false }),
  };
  const limits = { unpackedBytes: 2 ** 35, ratio: 200, rows: 1_000_000 };
  const items: ParsedRow[] = [];
  for await (const found of readRows(source, { preserveDigits: false, limits, onBytes: () => undefined }))
    items.push(...found.rows);
  return items;
}

/** Rows as objects, and for rejected rows their line. */
const show = (items: ParsedRow[]): unknown[] =>
  items.map((item) =>
    isRejection(item)
      ? item.line
      : (Object.fromEntries(item.values.map((value, at) => [item.names[at], plain(value)])) as unknown),
  );
const plain = (value: unknown): unknown => (isRawJson(value) ? value.rawJSON : value);
const rows = async (content: string | Buffer, options?: ReadOptions) => show(await read(content, options));

const TWO = [{ a: 1 }, { a: 2 }];

describe('the format of a file', () => {
  it.each([
    ['JSON lines', '{"a":1}\n{"a":2}\n', ''],
    ['JSON lines of Windows, with a mark', '\ufeff{"a":1}\r\n\r\n{"a":2}', ''],
    ['JSON lines that end by CR alone', '{"a":1}\r{"a":2}\r', ''],
    ['a JSON array', ' [{"a":1},\n{"a":2}]\n', 'output.txt'],
    ['JSON over several lines', '{\n  "a": 1\n}\n{\n"a": 2}', 'out.json'],
    ['packed by gzip', gzipSync('{"a":1}\n{"a":2}'), 'x.gz'],
    ['packed by zstd', zstdCompressSync('[{"a":1},{"a":2}]'), ''],
  ])('is detected: %s', async (_, content, name) => {
    expect(await rows(content, { name })).toEqual(TWO);
  });

  it.each([
    ['a,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['a;b\r\n1;2\r\n', [{ a: '1', b: '2' }]],
    [
      'a,b\r1,2\r3,4\r',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['a\r1', [{ a: '1' }]],
    ['a\tb\n1\t2', [{ a: '1', b: '2' }]],
    ['a|b\n1|2', [{ a: '1', b: '2' }]],
    ['host\na.com\n\nb.com\n', [{ host: 'a.com' }, { host: 'b.com' }]],
    ['"x, y",b\n"1\n2","say ""hi"""\n', [{ 'x, y': '1\n2', b: 'say "hi"' }]],
    ['a,b,c\n,"",5" disk\n', [{ a: null, b: '', c: '5" disk' }]],
    ['a,a,\n1,2,3\n', [{ a: '1', 'a (2)': '2', column_3: '3' }]],
    ['a,b\n1\n', [{ a: '1' }]],
    ['a,b\n1,2,3\n4,5\n', [2, { a: '4', b: '5' }]],
    ['a,b\n"x"y,2\n4,5\n', [2, { a: '4', b: '5' }]],
    ['a,b\n1,"x\n', [2]],
    [' ', []],
    ['\n \t\r\n\n', []],
    ['\n  \na;b\n1;2\n', [{ a: '1', b: '2' }]],
    ['a\n  \n', [{ a: '  ' }]],
  ])('is CSV for %j', async (content, expected) => {
    for (const chunk of [1, 3, 1000]) expect(await rows(content, { name: 'output.txt', chunk })).toEqual(expected);
  });
});

it.each([
  ['{"a":1,"b":"open\n{"a":2}\n', [1, { a: 2 }]],
  ['{"a":1\n{"a":2}\n', [1, { a: 2 }]],
  ['{"a":1,\n{"a":2}\n{"a":3}\n', [1, { a: 2 }, { a: 3 }]],
  ['{"a":\n\n{"a":2}\n', [1, { a: 2 }]],
  ['{"a":[\n{"b":1},\n{"b":2}\n]}\n', [{ a: [{ b: 1 }, { b: 2 }] }]],
  ['{"a":\n{"c":"}"}\n}', [{ a: { c: '}' } }]],
  ['{"a":"\\""\n,"b":1}', [{ a: '"', b: 1 }]],
  ['{\n  "a": [\n    {"b":1}\n  ]\n}\n{\n"a": 2\n}\n', [{ a: [{ b: 1 }] }, { a: 2 }]],
])('%j is detected as JSON lines or as one value over several lines', async (content, expected) => {
  expect(await rows(content, { name: 'output.txt' })).toEqual(expected);
});

describe('an invalid row', () => {
  it('does not affect the following lines', async () => {
    expect(await rows('{"a":1}\n{"a":\n[1]\n5\n{"a":2}', { format: 'ndjson' })).toEqual([{ a: 1 }, 2, 3, 4, { a: 2 }]);
  });

  it('does not affect the following array elements', async () => {
    for (const chunk of [1, 5, 1000]) {
      const content = '[{"a":1}, {a:1}, "x]", 7, [{}], {"a":2}] {"b":1}';
      expect(await rows(content, { format: 'json', chunk })).toEqual([{ a: 1 }, 2, 3, 4, 5, { a: 2 }, 7]);
    }
  });

  it('does not affect earlier rows, however few they are', async () => {
    const content = '{"a":1}\n{"a":2}\n';
    for (const packed of [gzipSync(content), zstdCompressSync(content)]) {
      const found = await read(Buffer.concat([packed, Buffer.from('junk')]), { format: 'ndjson' });
      expect(found.map((item) => ('values' in item ? item.values : item.broken))).toEqual([[1], [2], true]);
    }
  });

  it('is reported if the file ends too early', async () => {
    const [, last] = await read('[{"a":1},{"a"', { format: 'json' });
    expect(last).toMatchObject({ line: 2, broken: true });
    const cut = await read(gzipSync('{"a":1}\n').subarray(0, 12), { format: 'ndjson' });
    expect(cut.at(-1)).toMatchObject({ broken: true });
  });

  it.each(['{"a":1}\n{"a"', '{"a":1}\n{"a":2', `{"a":1}\n{"a":"${'x'.repeat(2 * MAX_ROW_BYTES)}`])(
    'is reported as broken if the last line is cut off',
    async (content) => {
      for (const chunk of [5, 64 * 1024].filter((size) => content.length / size < 1_000)) {
        expect((await read(content, { format: 'ndjson', chunk })).at(-1)).toMatchObject({ line: 2, broken: true });
      }
      expect((await read('{"a":1}\n{"a"\n', { format: 'ndjson' })).at(-1)).not.toHaveProperty('broken');
    },
  );

  it.each([
    ['"host" ,port\na,80\nb,443', 'the header has text between'],
    ['"host,port\na,80\n', 'the header has a quote that is not closed'],
    [`${'host,'.repeat(MAX_ROW_BYTES / 4)}\na,80\n`, 'the header is longer than 1 MiB'],
    [`"${'host,'.repeat(MAX_ROW_BYTES / 4)}\n"\na,80\n`, 'the header is longer than 1 MiB'],
    ['x'.repeat(3 * MAX_ROW_BYTES), 'the header is longer than 1 MiB'],
  ])('ends the file if it is the header of a CSV', async (content, reason) => {
    for (const chunk of [1, 7, 64 * 1024, 1 << 24].filter((size) => content.length / size < 1_000)) {
      const items = await read(content, { format: 'csv', chunk });
      expect(items).toEqual([expect.objectContaining({ line: 1, broken: true })]);
      expect(items[0]).toHaveProperty('reason', expect.stringContaining(reason));
    }
  });

  it.each([
    ['ndjson', `{"a":1}\n{"b":"${'x'.repeat(3 * MAX_ROW_BYTES)}"}\n{"a":2}\n`, [{ a: 1 }, 2, { a: 2 }]],
    ['json', `[{"a":1},{"b":"${'x'.repeat(3 * MAX_ROW_BYTES)}"},{"a":2}]`, [{ a: 1 }, 2, { a: 2 }]],
    ['csv', `a\n1\n"${'x\n'.repeat(MAX_ROW_BYTES)}"\n2\n`, [{ a: '1' }, 3, { a: '2' }]],
  ] as const)('is skipped if it is too long: %s', async (format, content, expected) => {
    expect(await rows(content, { format, chunk: 64 * 1024 })).toEqual(expected);
  });

  it('is one that is not valid UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"a":"ü"}')]);
    const [first, second] = await read(bytes, { format: 'ndjson' });
    expect((first as { text: string }).text.isWellFormed()).toBe(false);
    expect(show([second as ParsedRow])).toEqual([{ a: 'ü' }]);
  });
});

it('numbers keep their digits', async () => {
  const content = '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1e2,"e":[0.12345678901234567890],"f":0.5}';
  const [row] = (await rows(content, { format: 'ndjson' })) as [Record<string, unknown>];
  expect(row).toMatchObject({ a: '12345678901234567890', b: '1.0', c: '-0', d: '1e2', f: 0.5 });
  expect(JSON.stringify(row['e'])).toBe('[0.12345678901234567890]');
});

const table = fc
  .array(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => name.trim() !== ''),
    { minLength: 2, maxLength: 4 },
  )
  .map((names) => [...new Set(names)])
  .filter((names) => names.length > 1)
  .chain((names) =>
    fc.record({
      names: fc.constant(names),
      values: fc.array(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: names.length, maxLength: names.length }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
    }),
  );

it('rows written as CSV are read unmodified', async () => {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 50 }), async ({ names, values }, chunk) => {
      const content = [names, ...values].map((fields) => fields.map(quote).join(',')).join('\r\n');
      const found = await read(content, { format: 'csv', chunk });
      expect(found.map((item) => (isRejection(item) ? item : [item.names, item.values]))).toEqual(
        values.map((fields) => [names, fields]),
      );
    }),
  );
});

it('rows written as JSON are read unmodified, in lines and in an array', async () => {
  const object = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(object), fc.integer({ min: 1, max: 50 }), async (objects, chunk) => {
      const written = objects.map((one) => JSON.stringify(one));
      const expected = written.map((text) => JSON.stringify(JSON.parse(text)));
      const texts = (items: ParsedRow[]) =>
        items.map((item) => (isRejection(item) ? item.reason : JSON.stringify(JSON.parse(item.text))));
      expect(texts(await read(written.join('\n'), { format: 'ndjson', chunk }))).toEqual(expected);
      expect(texts(await read(`[${written.join(' ,\n')}]`, { format: 'json', chunk }))).toEqual(expected);
    }),
  );
});
