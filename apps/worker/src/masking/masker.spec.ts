import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Masker } from './masker.js';

const maskerOf = (...values: string[]): Masker => {
  const masker = Masker.of(values);
  if (!masker) throw new Error('nothing to mask');
  return masker;
};

function mask(masker: Masker, chunks: readonly Uint8Array[], cut = false): Buffer {
  const stream = masker.stream();
  return Buffer.concat([...chunks.map((chunk) => stream.push(chunk)), stream.end(cut)]);
}

const maskText = (text: string, ...values: string[]) => mask(maskerOf(...values), [Buffer.from(text)]).toString();

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

describe('a masked text', () => {
  it('contains *** instead of values, and is otherwise unmodified', () => {
    expect(maskText('a hunter22 b hunter22', 'hunter22')).toBe('a *** b ***');
    expect(maskText('hunter2', 'hunter22')).toBe('hunter2');
    expect(maskText('hunter2hunter22', 'hunter22')).toBe('hunter2***');
    expect(maskText('abcdefgh', 'abcd', 'cdef', 'efgh')).toBe('***');
    expect(maskText('abcdabcd', 'abcd')).toBe('******');
  });

  it('hides each line of a value, except very short ones', () => {
    expect(maskText('x first line y\nab\nlast', 'first line\nab\nlast')).toBe('x *** y\nab\n***');
    expect(maskText('first line\r\nab\r\nlast\r\n', 'first line\r\nab\r\nlast\r\n')).toBe('***');
    expect(Masker.of(['abc', ''])).toBeNull();
  });

  it.each([
    ['percent-encoded', (value: string) => encodeURIComponent(value)],
    [
      'percent-encoded in lower case',
      (value: string) => encodeURIComponent(value).replace(/%../g, (x) => x.toLowerCase()),
    ],
    ['in an HTML form', (value: string) => new URLSearchParams({ x: value }).toString().slice(2)],
    ['in JSON', (value: string) => JSON.stringify(value).slice(1, -1)],
    ['in ASCII JSON', (value: string) => JSON.stringify(value).slice(1, -1).replaceAll('é', '\\u00e9')],
    ['in hex', (value: string) => Buffer.from(value).toString('hex')],
    ['in hex with line breaks', (value: string) => Buffer.from(value).toString('hex').replace(/.{10}/g, '$&\n')],
  ])('hides a value %s', (_, encode) => {
    for (const value of ['p@ss w/rd"é\\+=&', 'plain-token_1234', 'two words\tand a tab'])
      expect(maskText(`<${encode(value)}>`, value)).toBe('<***>');
  });

  it.each([
    ['trimmed', '  two words ', 'two words'],
    ['with white space collapsed', 'one  two\n\tthree', 'one two three'],
    ['in single quotes of a shell', "it's-me", `it'\\''s-me`],
    ['as Python quotes it', "it's-me", `it'"'"'s-me`],
    ['as printf %q prints it', "p@ss (w)#'x", "p@ss\\ \\(w\\)#\\'x"],
    ['in HTML', `a<b>&"c'd`, 'a&lt;b&gt;&amp;&quot;c&#39;d'],
    ['in XML', `a<b>&"c'd`, 'a&lt;b&gt;&amp;&quot;c&apos;d'],
    ['in HTML of Python', `a<b>&"c'd`, 'a&lt;b&gt;&amp;&quot;c&#x27;d'],
    ['in CSV', 'say "it"', 'say ""it""'],
    ['in JSON within JSON', 'a"b\\c\nd', JSON.stringify(JSON.stringify('a"b\\c\nd')).slice(3, -3)],
    [
      'in hex with blanks',
      'token-1',
      Buffer.from('token-1')
        .toString('hex')
        .replace(/..(?=.)/g, '$& '),
    ],
    [
      'in hex as od prints it',
      'token-1-token-1',
      Buffer.from('token-1-token-1').toString('hex').replace(/.{16}/g, '$&\n '),
    ],
  ])('hides a value %s', (_, value, printed) => {
    expect(maskText(`<${printed}>`, value)).toBe('<***>');
  });

  it('hides strings of a value that is JSON', () => {
    const value = JSON.stringify({
      type: 'key',
      private_key: '-----BEGIN\nabcdefgh\n-----END',
      list: ['longer-than-8'],
    });
    expect(maskText('a -----BEGIN\nabcdefgh\n-----END b longer-than-8 key', value)).toBe('a *** b *** key');
  });

  it.each([
    '"half a pair: \\ud800"',
    `${'['.repeat(16_000)}${']'.repeat(16_000)}`,
    '{"a":"unended',
    '\n'.repeat(32_768),
  ])('hides an unusual value (%#)', (value) => {
    // After a value that repeats itself more may be masked.
    expect(maskText(`<${value}>`, value)).toMatch(/^<\*\*\*>?$/);
  });

  it('hides a value that is the whole of a base64 text', () => {
    for (const value of ['tokens', 'token-1', 'token-12', 'ÿþ~~??>>']) {
      const encoded = Buffer.from(value).toString('base64');
      expect(maskText(`${encoded}\n`, value)).toBe('***\n');
      expect(maskText(`${Buffer.from(`${value}\n`).toString('base64')}\n`, value)).toBe('***\n');
      expect(maskText(Buffer.from(value).toString('base64url'), value)).toMatch(/^\*\*\*.?$/);
    }
  });
});

const ALPHABET = [...'abcXYZ019+/-_ %"\\é=.\n'];
const textOf = (min: number, max: number) =>
  fc.array(fc.constantFrom(...ALPHABET), { minLength: min, maxLength: max }).map((letters) => letters.join(''));
const secret = textOf(6, 40).filter(
  (value) => Buffer.byteLength(value.replaceAll('\n', '')) >= 6 && !value.includes('\n'),
);
const wrapped = (text: string, columns: number) => text.replace(new RegExp(`.{${columns}}`, 'g'), '$&\n');

type Encode = (value: string, before: string, after: string) => string;
const ENCODINGS: Encode[] = [
  (value, before, after) => before + value + after,
  (value, before, after) => Buffer.from(before + value + after).toString('base64'),
  (value, before, after) => Buffer.from(before + value + after).toString('base64url'),
  (value, before, after) => wrapped(Buffer.from(before + value + after).toString('base64'), 76),
  (value, before, after) => wrapped(Buffer.from(before + value + after).toString('base64'), 5),
  (value, before, after) => encodeURIComponent(before + value + after),
  (value, before, after) => JSON.stringify(before + value + after),
  (value, before, after) => Buffer.from(before + value + after).toString('hex'),
];

/** The characters of a base64 text that depend only on the value. */
function coreOf(value: string, before: string): string {
  const [start, bytes] = [Buffer.byteLength(before), Buffer.byteLength(value)];
  const encoded = Buffer.from(before + value).toString('base64');
  return encoded.slice(Math.ceil((start * 8) / 6), Math.floor(((start + bytes) * 8) / 6));
}

describe('a masked stream of arbitrary values, encodings, surroundings and chunks', () => {
  const pieces = fc.array(
    fc.record({ value: fc.nat(3), how: fc.nat(ENCODINGS.length - 1), before: textOf(0, 80), after: textOf(0, 80) }),
    { minLength: 1, maxLength: 6 },
  );

  it('contains no value', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 4, maxLength: 4 }),
        pieces,
        fc.array(fc.nat()),
        (values, parts, cuts) => {
          const masker = maskerOf(...values);
          const texts = parts.map(({ value, how, before, after }) => ENCODINGS[how]!(values[value]!, before, after));
          const masked = mask(masker, cutAt(Buffer.from(texts.join('|')), cuts)).toString();
          const unbroken = masked.replaceAll('\n', '');
          for (const value of values) {
            expect(masked.includes(value)).toBe(false);
            expect(masked.includes(encodeURIComponent(value))).toBe(false);
            expect(masked.includes(JSON.stringify(value).slice(1, -1))).toBe(false);
            expect(unbroken.includes(Buffer.from(value).toString('hex'))).toBe(false);
            for (const before of ['', 'x', 'xx']) {
              const core = coreOf(value, before);
              expect(unbroken.includes(core)).toBe(false);
              expect(unbroken.includes(core.replaceAll('+', '-').replaceAll('/', '_'))).toBe(false);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is the same as if it were one chunk', () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => array.map((byte) => 97 + (byte % 3)));
    const values = fc.array(fc.stringMatching(/^[abc]{4,8}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(bytes, values, fc.array(fc.nat()), fc.boolean(), (input, secrets, cuts, isCut) => {
        const masker = maskerOf(...secrets);
        const all = Buffer.from(input);
        expect(mask(masker, cutAt(all, cuts), isCut)).toEqual(mask(masker, [all], isCut));
      }),
      { numRuns: 500 },
    );
  });

  it('has only the bytes of values masked', () => {
    const values = fc.array(fc.stringMatching(/^[abc]{4,8}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.stringMatching(/^[abc]{0,60}$/), values, (text, secrets) => {
        const hidden = new Set<number>();
        for (const value of secrets)
          for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1))
            for (let byte = at; byte < at + value.length; byte++) hidden.add(byte);
        const open = [...text].filter((_, at) => !hidden.has(at)).join('');
        expect(maskText(text, ...secrets).replaceAll('*', '')).toBe(open);
      }),
      { numRuns: 500 },
    );
  });

  it('contains bytes that are no text unmodified', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), (noise, cuts) => {
        const text = Buffer.from(noise.map((byte) => byte | 0x80));
        const all = Buffer.concat([text, Buffer.from('a value'), text]);
        const masked = mask(maskerOf('a value'), cutAt(all, cuts));
        expect(masked).toEqual(Buffer.concat([text, Buffer.from('***'), text]));
      }),
    );
  });
});

describe('a long value', () => {
  const letters = fc.constantFrom(..."ab<'é\n");
  const long = fc.array(letters, { minLength: 20, maxLength: 300 }).map((all) => `${all.join('')}x`);

  it('is hidden completely, with the same result for one chunk and for many', () => {
    const between = fc.array(letters, { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(long, { minLength: 1, maxLength: 3 }), between, fc.array(fc.nat()), (values, text, cuts) => {
        const masker = maskerOf(...values.map((value) => value.replaceAll('\n', 'n')));
        const flat = values.map((value) => value.replaceAll('\n', 'n'));
        const all = Buffer.from(`[${flat.flatMap((value) => [value, value.slice(0, -1), value.slice(1)]).join(text)}]`);
        const masked = mask(masker, cutAt(all, cuts));
        expect(masked).toEqual(mask(masker, [all]));
        for (const value of flat) expect(masked.includes(value)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('is hidden in every encoding, even if it repeats itself or has the same beginning as another value', () => {
    const values = ['a'.repeat(32_768), 'ab'.repeat(9_000), `${'a'.repeat(60)}b`.repeat(200), '界'.repeat(5_000)];
    const masker = maskerOf(...values);
    for (const value of values)
      for (const encode of ENCODINGS.filter((_, at) => [0, 3, 5, 7].includes(at))) {
        const masked = mask(masker, cutAt(Buffer.from(encode(value, '', '')), [4_000, 4_001, 9_999])).toString();
        expect(masked.replaceAll(/\n|=+$/g, '')).toMatch(/^(\*\*\*)+.?$/);
      }
  });

  it('does not hide everything after a line of one character if it begins with such a line', () => {
    const line = '#'.repeat(80);
    expect(maskText(`${line}${line}|log`, `${line}\n# token\n${'x'.repeat(9_000)}`)).toBe('***|log');
    expect(maskText(`${line}|log`, `${line}# token ${'x'.repeat(9_000)}`)).toBe(`${line}|log`);
  });

  it('is shown if only its beginning is printed', () => {
    const value = Array.from({ length: 500 }, (_, at) => `part ${at}`).join(' ');
    expect(maskText(`${value.slice(0, 2_000)}|${value}|`, value)).toBe(`${value.slice(0, 2_000)}|***|`);
  });

  it.each([
    ['of characters of three bytes', (at: number) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)), 10_900],
    ['of short lines', (at: number) => `${at * 7919}"\n`, 4_000],
    ['of control characters', (at: number) => String.fromCharCode(1 + (at % 8)), 32_768],
  ])('uses less than 16 MiB of memory if it has the maximum size and consists %s', (_, part, count) => {
    const value = Array.from({ length: count }, (_, at) => part(at))
      .join('')
      .slice(0, 32_768);
    const masker = maskerOf(value, `x${value}`.slice(0, 32_768));
    expect(masker.bytes).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a mask stream', () => {
  it('withholds only bytes that may be the beginning of a value', () => {
    const stream = maskerOf('hunter22').stream();
    expect(stream.push(Buffer.from('say hunt')).toString()).toBe('say ');
    expect(stream.push(Buffer.from('er2')).toString()).toBe('');
    expect(stream.push(Buffer.from('2!')).toString()).toBe('***!');
    expect(stream.push(Buffer.from('hunt')).toString()).toBe('');
    expect(stream.end().toString()).toBe('hunt');
  });

  it('does not show the beginning of a value at the end of a text that was cut', () => {
    expect(mask(maskerOf('hunter22'), [Buffer.from('say hunter')], true).toString()).toBe('say ');
    expect(maskerOf('hunter22').text('say hunter…')).toBe('say …');
  });

  it('stores no masked bytes, even of a long occurrence', () => {
    const stream = maskerOf('aaaa').stream();
    let length = 0;
    for (let at = 0; at < 200; at++) length += stream.push(Buffer.alloc(10_000, 'a')).length;
    expect(length + stream.end().length).toBe(3);
  });

  it('emits line breaks after the beginning of an encoding', () => {
    const stream = maskerOf('hunter22-hunter22').stream();
    let length = stream.push(Buffer.from(Buffer.from('hunter22').toString('base64').slice(0, 8))).length;
    for (let at = 0; at < 160; at++) length += stream.push(Buffer.alloc(65_536, '\n')).length;
    expect(length).toBe(8 + 160 * 65_536);
  });
});
