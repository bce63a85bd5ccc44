import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { editDistance } from '../names/suggest-name.js';
import { draw } from '../testing/draw-workflow.js';
import { randomWorkflow } from '../testing/random-workflow.js';
import { validateWorkflow } from './validate-workflow.js';

const MIB = 1024 * 1024;
const sizeOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const keyed = (count: number, value: unknown, key = (at: number) => `k${at}`) =>
  Object.fromEntries(times(count, (at) => [key(at), value]));

/** As long as a name may be, and twice that as JSON. */
const longName = (at: number): string => `${'"'.repeat(249)}-${at}`;
const longChain = () =>
  times(4_999, (at) => at).reduce(
    (one, at) => one.script(longName(at + 1)).wire(`${longName(at)}.file`, `${longName(at + 1)}.file`),
    draw().script(longName(0)),
  );

const HOSTILE: [what: string, data: () => unknown][] = [
  ['a node name of 10 MiB', () => ({ nodes: { ['x'.repeat(10 * MIB)]: {} } })],
  [
    'an input name of 10 MiB',
    () =>
      draw()
        .tool('a-1', keyed(1, { type: 'STRING' }, () => 'x'.repeat(10 * MIB)) as never)
        .data(),
  ],
  [
    'a text of 10 MiB',
    () =>
      draw()
        .primitive('f-1', 'FILE', 'x'.repeat(10 * MIB))
        .data(),
  ],
  [
    'an edge end of 10 MiB',
    () =>
      draw()
        .edge('x'.repeat(10 * MIB), 'y')
        .data(),
  ],
  [
    'an image of 10 MiB',
    () =>
      draw()
        .tool('a-1', {}, { container: { command: 'x', image: 'x'.repeat(10 * MIB) } })
        .data(),
  ],
  [
    'a key with a NUL, deep below keys of 1 MiB',
    () => times(30, () => 'k'.repeat(MIB / 4)).reduce<unknown>((inner, key) => ({ [key]: inner }), 'a\0'),
  ],
  [
    'a text of open braces',
    () =>
      draw()
        .script('a-1', {}, { script: { source: 'x', environment: { A: `${'${{'.repeat(3 * MIB)}}}` } } })
        .data(),
  ],
  [
    'a million placeholders',
    () =>
      draw()
        .script(
          'a-1',
          {},
          { script: { source: 'x', environment: { A: times(700_000, (at) => `\${{v${at}}}`).join('') } } },
        )
        .data(),
  ],
  [
    'a cycle of names as long as they may be',
    () =>
      longChain()
        .wire(`${longName(4_999)}.file`, `${longName(0)}.file`)
        .data(),
  ],
  [
    'long names, all wrong',
    () => ({ ...longChain().data(), nodes: keyed(5_000, { type: 'SCRIPT', name: 'x' }, (at) => `${longName(at)}x`) }),
  ],
  [
    'distributions that meet by the thousand',
    () => {
      const one = draw().script('a-1').script('end-1');
      for (let at = 0; at < 4_000; at += 1)
        one
          .splitter(longName(at))
          .wire('a-1.file', `${longName(at)}.multiple`)
          .wire(`${longName(at)}.output`, 'end-1.file');
      return one.data();
    },
  ],
  ['numbers where nodes belong', () => ({ nodes: keyed(5_000, 0, longName) })],
];

describe('an answer stays below 1 MiB, and says something, for', () => {
  it.each(HOSTILE)('%s', (_, make) => {
    const answer = validateWorkflow(make(), { variables: new Set(['A']), libraryModules: new Map() });
    expect(sizeOf(answer)).toBeLessThan(MIB);
    expect(answer.errors.length + answer.warnings.length).toBeGreaterThan(0);
  });
});

describe('what is too large is refused before it is looked at', () => {
  /** Fails the test where anything of it is read. */
  const unread = (length: number): unknown[] =>
    new Proxy(new Array<unknown>(length), {
      get: (list, key) => {
        if (key === 'length') return list.length;
        throw new Error(`read ${String(key)}`);
      },
    });

  it('as 100,000 edges', () => {
    expect(validateWorkflow({ connections: unread(100_000) }).errors).toMatchObject([
      { code: 'too_many_edges', path: 'connections', message: expect.stringContaining('100000') },
    ]);
  });

  it('as a million words of a command line', () => {
    const node = {
      type: 'TOOL',
      container: { command: times(1_000_000, () => null), args: times(1_000_000, () => null) },
    };
    const { errors } = validateWorkflow({ nodes: { 'a-1': node } });
    expect(errors.map(({ path }) => path).sort()).toEqual(['nodes.a-1.container.args', 'nodes.a-1.container.command']);
  });

  it('as a million inputs of a node', () => {
    const { errors } = validateWorkflow({ nodes: { 'a-1': { type: 'TOOL', inputs: keyed(1_000_000, 0) } } });
    expect(errors).toMatchObject([{ code: 'too_large', node: 'a-1', path: 'nodes.a-1.inputs' }]);
  });

  it('and where too much is wrong, the rest is left alone', () => {
    const inputs = keyed(1_000, 0);
    const { errors } = validateWorkflow({ nodes: keyed(1_000, { type: 'TOOL', inputs }, (at) => `n-${at}`) });
    // A million are wrong; it is given up with the node in which the list fills up.
    expect(errors.at(-1)).toMatchObject({ code: 'more_problems', message: 'and 800 more at least' });
  });
});

describe('the same data', () => {
  it('gives the same answer each time', () => {
    fc.assert(
      fc.property(randomWorkflow, fc.object(), ({ data, modules }, more) => {
        const whole = { ...(data as object), ...more };
        expect(validateWorkflow(whole, { modules })).toEqual(validateWorkflow(structuredClone(whole), { modules }));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a hint', () => {
  it('names only what exists', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}-[1-3]$/);
    const edge = fc.tuple(
      word,
      fc.constantFrom('file', 'folder', 'fiel'),
      word,
      fc.constantFrom('file', 'flie', 't', 'tt'),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 2, maxLength: 8 }),
        fc.array(edge, { maxLength: 12 }),
        (names, edges) => {
          const one = names.reduce((all, name) => all.script(name, { t: { type: 'STRING', value: 'x' } }), draw());
          for (const [from, port, to, param] of edges) one.wire(`${from}.${port}`, `${to}.${param}`);
          const exists = new Set([...names, 'file', 'folder', 't']);
          for (const { hint } of validateWorkflow(one.data()).errors) {
            const [, named] = /^did you mean "(.*)"\?$/.exec(hint ?? '') ?? [];
            if (named !== undefined) expect(exists).toContain(named);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is looked for within a band, with the result that the whole table gives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 1, 2, 4), (a, b, limit) => {
        const distance = wholeTable(a, b);
        if (distance <= limit) expect(editDistance(a, b, limit)).toBe(distance);
        else expect(editDistance(a, b, limit)).toBeGreaterThan(limit);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Optimal string alignment as textbooks have it. */
function wholeTable(a: string, b: string): number {
  const table: number[][] = [];
  const at = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 0; row <= a.length; row += 1) {
    table[row] = [];
    for (let column = 0; column <= b.length; column += 1) {
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      table[row]![column] =
        row === 0 || column === 0
          ? row + column
          : Math.min(
              at(row - 1, column) + 1,
              at(row, column - 1) + 1,
              at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1),
              swapped ? at(row - 2, column - 2) + 1 : Infinity,
            );
    }
  }
  return at(a.length, b.length);
}
