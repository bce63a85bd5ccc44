import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeDocument } from '../files/workflow-document.js';
import { readYaml, YamlError } from './read-yaml.js';
import { writeYaml } from './yaml-task.js';

function problemOf(text: string): string {
  try {
    readYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    throw error;
  }
  return 'none';
}

describe('a YAML text', () => {
  it('has the same value as its JSON', () => {
    const text = 'a: 1\nb: [x, "2", true, null, ~, 1.5e3, 0x10]\nc:\n  d: |\n    two\n    lines\n  "1": yes\n';
    expect(readYaml(text)).toEqual({
      a: 1,
      b: ['x', '2', true, null, null, 1500, 16],
      c: { d: 'two\nlines\n', '1': 'yes' },
    });
  });

  it('has dates, merge keys and words of YAML 1.1 as texts, even with a directive for YAML 1.1', () => {
    const body = '%YAML 1.1\n---\na: 2020-01-01\nb: yes\nc: 1:30\n<<: {d: 1}\n';
    expect(readYaml(body)).toEqual({ a: '2020-01-01', b: 'yes', c: '1:30', '<<': { d: 1 } });
  });

  it.each([
    ['invalid YAML', 'a: [1, 2', 'line 1, column 9'],
    ['a bad indentation', 'a:\n  b: 1\n c: 2\n', 'line 3, column'],
    ['a key twice', 'a:\n  b: 1\n  "b": 2\n', 'line 3, column 3: the key "b" is there twice'],
    ['a number as a key', 'a:\n  1: x\n', 'line 2, column 3: a key must be a text'],
    ['null as a key', '? \n: x\n', 'a key must be a text'],
    ['a list as a key', '? [a]\n: x\n', 'line 1, column 3'],
    ['infinity', 'a: .inf\n', 'line 1, column 4: is not a number that JSON can represent'],
    ['not a number', 'a: [.nan]\n', 'line 1, column 5: is not a number that JSON can represent'],
    ['a number out of range', 'a: 1e400\n', 'is not a number that JSON can represent'],
    ['an alias', 'a: &x {b: 1}\nc: *x\n', 'line 2, column 4: aliases are not supported'],
    ['an alias to nothing', 'c: *x\n', 'line 1, column 4'],
    ['an alias as a key', 'a: &x b\n*x : 1\n', 'line 2, column 1'],
    ['a tag of its own', 'a: !!binary aGk=\n', 'line 1, column 4'],
    ['a set', 'a: !!set {b, c}\n', 'line 1, column 4'],
    ['a timestamp', 'a: !!timestamp 2020-01-01\n', 'line 1, column 4'],
    ['a local tag', 'a: !run {b: 1}\n', 'line 1, column 4'],
    ['two documents', 'a: 1\n---\nb: 2\n', 'line 2, column 1'],
    ['a key that reaches for the prototype', 'a:\n  __proto__: {b: 1}\n', 'line 2, column 3'],
    ['another one', 'constructor:\n  prototype: {b: 1}\n', 'line 1, column 1'],
    ['a NUL character', 'a: "\\0"\n', 'NUL'],
    ['half of a surrogate pair', 'a: "\\ud800"\n', 'surrogate'],
    ['501 levels', `${'['.repeat(502)}${']'.repeat(502)}`, 'nested'],
    ['a hundred thousand levels', '['.repeat(100_000), 'nested'],
  ])('with %s is refused with the position of the problem', (_, text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it('whose aliases would expand to a large value is refused', () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((at, n) => `${at}: &${at} [*${'abcdefghi'[n]}, *${'abcdefghi'[n]}]`),
    ];
    expect(problemOf(bomb.join('\n'))).toContain('line 2, column 8: aliases are not supported');
  });

  it('with tens of thousands of keys takes no longer per key than one with few keys', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `k${at}: ${at}`).join('\n');
    expect(Object.keys(readYaml(text) as object)).toHaveLength(50_000);
  });
});

/** Texts that YAML could read as something else, in addition to those that fast-check generates. */
const odd = fc.constantFrom(
  ...['', ' ', '1', '1e3', '0x1F', '0o7', '-0', '.inf', '.NaN', '~', 'null', 'Null', 'true', 'yes', 'no', 'on', 'y'],
  ...['2020-01-01', '2020-01-01T00:00:00Z', '1:30', '<<', '=', '*a', '&a', '!tag', '!!str a', '%YAML', '---', '...'],
  ...[
    '- a',
    '? a',
    ': a',
    'a: b',
    'a #b',
    '#',
    '"',
    "'",
    '`',
    '@',
    '|',
    '>',
    '|-\n a',
    '{',
    '[',
    ',',
    '\ufeff',
    '\ufeffa',
  ],
  ...[
    '\n',
    '\n\n',
    'a\n',
    'a\n\n',
    ' a\n b',
    '\ta',
    'a\t\n',
    'a \nb',
    '\r',
    'a\r\nb',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u00a0',
  ],
  ...[
    '\u0001',
    '\u007f',
    '\u009f',
    '\ufffe',
    '\u{1F4A1}',
    '\u{10FFFF}',
    'é',
    'e\u0301',
    'x'.repeat(2_000),
    '\\',
    '\\n',
  ],
);
const text = fc.oneof(
  odd,
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.tuple(odd, odd).map((two) => two.join('')),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom<unknown>(null, true, false, [], {}, 1e21, 1e-7, 5e-324, Number.MAX_VALUE),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const threads = { write: async (json: string) => writeYaml(JSON.parse(json)) };
const storable = (made: unknown) => !/\\u0000|__proto__|constructor/.test(JSON.stringify(made));

it.each(['yaml', 'json'] as const)(
  'any data reads back from %s unmodified, including the order of its keys',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, value).filter(storable), async (made) => {
        const data = JSON.parse(JSON.stringify(made)) as Record<string, unknown>;
        const written = await writeDocument({ millrace: 1, name: 'x', data }, format, threads);
        const read = (format === 'yaml' ? readYaml(written) : JSON.parse(written)) as { data: unknown };
        expect(JSON.stringify(read.data)).toBe(JSON.stringify(data));
      }),
      { numRuns: 3_000 },
    );
  },
);

it.each(['yaml', 'json'] as const)(
  'a deeply nested value is written as %s without indentation and reads back equal',
  async (format) => {
    const leaves = { list: Array.from({ length: 20_000 }, (_, at) => `item ${at}: "x"\n`) };
    const data = Array.from({ length: 400 }).reduce<object>(
      (value) => ({ 'a: b': value, ['k'.repeat(2_000)]: [] }),
      leaves,
    );
    const value = data as Record<string, unknown>;
    const written = await writeDocument({ millrace: 1, name: 'x', data: value }, format, threads);
    expect(written.length).toBeLessThan(2 * JSON.stringify(data).length);
    const read = (format === 'yaml' ? readYaml(written) : JSON.parse(written)) as { data: unknown };
    expect(JSON.stringify(read.data)).toBe(JSON.stringify(data));
  },
);
