import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { editDistance } from '../names/suggest-name.js';
import { draw } from '../testing/draw-workflow.js';
import { randomWorkflow } from '../testing/random-workflow.js';
import { validateWorkflow } from './validate-workflow.js';

const MIB = 1024 * 1024;
const sizeOf = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const keyed = (count: number, value: unknown, key = (at: number) => `k${at}`) =>
  Object.fromEntries(times(count, (at) => [key(at), value]));

/** A name of the maximum length, which is twice as long as JSON. */
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
    'a cycle of names of the maximum length',
    () =>
      longChain()
        .wire(`${longName(4_999)}.file`, `${longName(0)}.file`)
        .data(),
  ],
  [
    'long names with an error each',
    () => ({ ...longChain().data(), nodes: keyed(5_000, { type: 'SCRIPT', name: 'x' }, (at) => `${longName(at)}x`) }),
  ],
  [
    'thousands of distributions that meet in one node',
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
  [
    'conditions of the maximum length',
    () => {
      const when = 'nodes.n-0.size>0 OR '.repeat(48);
      return {
        nodes: keyed(
          5_000,
          { type: 'SCRIPT', script: { source: 'x' }, when: `${when}nodes.n-0.size>0` },
          (at) => `n-${at}`,
        ),
      };
    },
  ],
  ['numbers in place of nodes', () => ({ nodes: keyed(5_000, 0, longName) })],
];

describe('the result of validation is below 1 MiB and reports a problem for', () => {
  it.each(HOSTILE)('%s', (_, make) => {
    const result = validateWorkflow(make(), { variables: new Set(['A']), libraryModules: new Map() });
    expect(sizeOf(result)).toBeLessThan(MIB);
    expect(result.errors.length + result.warnings.length).toBeGreaterThan(0);
  });
});

describe('validation rejects data above a limit before it reads it', () => {
  /** A list that fails the test if an entry is read. */
  const unread = (length: number): unknown[] =>
    new Proxy(new Array<unknown>(length), {
      get: (list, key) => {
        if (key === 'length') return list.length;
        throw new Error(`read ${String(key)}`);
      },
    });

  it('if the workflow has 100,000 connections', () => {
    expect(validateWorkflow({ connections: unread(100_000) }).errors).toMatchObject([
      { code: 'too_many_edges', path: 'connections', message: expect.stringContaining('100000') },
    ]);
  });

  it('if a command and its arguments have a million words each', () => {
    const node = {
      type: 'TOOL',
      container: { command: times(1_000_000, () => null), args: times(1_000_000, () => null) },
    };
    const { errors } = validateWorkflow({ nodes: { 'a-1': node } });
    expect(errors.map(({ path }) => path).sort()).toEqual(['nodes.a-1.container.args', 'nodes.a-1.container.command']);
  });

  it('if a node has a million inputs', () => {
    const { errors } = validateWorkflow({ nodes: { 'a-1': { type: 'TOOL', inputs: keyed(1_000_000, 0) } } });
    expect(errors).toMatchObject([{ code: 'too_large', node: 'a-1', path: 'nodes.a-1.inputs' }]);
  });

  it('if a node follows the one that filled the list of problems', () => {
    const inputs = keyed(1_000, 0);
    const { errors } = validateWorkflow({ nodes: keyed(1_000, { type: 'TOOL', inputs }, (at) => `n-${at}`) });
    // A million inputs are wrong. Validation stops at the node in which the list is full.
    expect(errors.at(-1)).toMatchObject({
      code: 'more_problems',
      message: 'At least 800 more problems are not listed.',
    });
  });
});

describe('the same data', () => {
  it('has the same result each time', () => {
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
  it('names only existing nodes and ports', () => {
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
            const [, named] = /^Did you mean "(.*)"\?$/.exec(hint ?? '') ?? [];
            if (named !== undefined) expect(exists).toContain(named);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('uses the same edit distance as the full table', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 1, 2, 4), (a, b, limit) => {
        const distance = fullTable(a, b);
        if (distance <= limit) expect(editDistance(a, b, limit)).toBe(distance);
        else expect(editDistance(a, b, limit)).toBeGreaterThan(limit);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Optimal string alignment in its textbook form. */
function fullTable(a: string, b: string): number {
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
