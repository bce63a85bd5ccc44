import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../saving/encode-data.js';
import { diffData, GROUPS, type DataDiff, type Edge } from './diff-data.js';
import type { FieldChange, Json } from './diff-records.js';

const edge = (source: string, destination: string, more: object = {}): Edge => ({
  source: { id: source },
  destination: { id: destination },
  ...more,
});
const none = { added: [], removed: [], changed: [] };
const nothing = { same: true, nodes: none, inputs: none, outputs: none, annotations: none, edges: none, other: [] };

describe('the diff of two versions', () => {
  it('lists added, removed and changed nodes, with the fields that differ', () => {
    const a = {
      nodes: { removed: { x: 1 }, kept: { x: 1 }, changed: { inputs: { url: { value: 'a', order: 0 } }, old: 1 } },
    };
    const b = {
      nodes: { kept: { x: 1 }, changed: { inputs: { url: { value: 'b', order: 0 } }, new: null }, came: {} },
    };
    expect(diffData(a, b)).toEqual({
      ...nothing,
      same: false,
      nodes: {
        added: ['came'],
        removed: ['removed'],
        changed: [
          {
            name: 'changed',
            fields: [
              { path: 'inputs.url.value', before: 'a', after: 'b' },
              { path: 'old', before: 1 },
              { path: 'new', after: null },
            ],
          },
        ],
      },
    });
  });

  it('separates inputs, outputs and annotations, and lists all other changes as `other`', () => {
    const a = { primitiveNodes: { p: {} }, config: { zoom: 1, deep: { list: [1, 2] } }, extra: true };
    const b = { outputNodes: { o: {} }, annotations: { n: {} }, config: { zoom: 2, deep: { list: [1] } } };
    expect(diffData(a, b)).toMatchObject({
      inputs: { removed: ['p'] },
      outputs: { added: ['o'] },
      annotations: { added: ['n'] },
      other: [
        { path: 'config.zoom', before: 1, after: 2 },
        { path: 'config.deep.list', before: [1, 2], after: [1] },
        { path: 'extra', before: true },
        { path: 'primitiveNodes', before: {} },
      ],
    });
  });

  it('identifies an edge by its ends, in any order', () => {
    const a = { connections: [edge('a', 'b', { color: 1 }), edge('b', 'c'), edge('x', 'y')] };
    const b = { connections: [edge('c', 'd'), edge('b', 'c'), edge('a', 'b', { color: 2 })] };
    expect(diffData(a, b).edges).toEqual({
      added: [edge('c', 'd')],
      removed: [edge('x', 'y')],
      changed: [{ source: 'a', destination: 'b', fields: [{ path: 'color', before: 1, after: 2 }] }],
    });
  });

  it('is empty if only the order of keys or edges differs', () => {
    const a = { nodes: { x: { a: 1, b: 2 }, y: {} }, connections: [edge('a', 'b'), edge('b', 'c')] };
    const b = { connections: [edge('b', 'c'), edge('a', 'b')], nodes: { y: {}, x: { b: 2, a: 1 } } };
    expect(diffData(a, b)).toEqual(nothing);
  });

  it('shows a part that was added empty or removed', () => {
    expect(diffData({}, { nodes: {} })).toEqual({ ...nothing, same: false, other: [{ path: 'nodes', after: {} }] });
    expect(diffData({ connections: [] }, {})).toMatchObject({
      same: false,
      other: [{ path: 'connections', before: [] }],
    });
  });
});

it('a diff of deeply nested data in many pieces is not many times larger than the data', () => {
  const deep = (leaf: number) => {
    const leaves = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, leaf]));
    return {
      config: Array.from({ length: 400 }, (_, at) => `level ${at} `.repeat(5)).reduce<Json>(
        (value, name) => ({ [name]: value }),
        leaves,
      ),
    };
  };
  const [a, b] = [deep(1), deep(2)];
  const size = JSON.stringify(diffData(a, b)).length;
  expect(size).toBeLessThan(2 * JSON.stringify(a).length + 7 * 1024 * 1024);
  expect(ordered(apply(diffData(a, b), a, b))).toBe(ordered(b));
});

/** Few keys and values, so that two versions have much in common, including keys that are special in paths. */
const key = fc.constantFrom('a', 'b', 'a.b', '', '\\', '\\0', '.', '__proto__', 'constructor', 'toString', 'é');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom<unknown>(null, true, 0, 1.5, '', '1', 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    objectOf(tie('value')),
  ),
}));

/** `fc.dictionary` never generates the key `__proto__` by default. */
function objectOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Json> {
  return fc.array(fc.tuple(key, values), { maxLength: 4 }).map((entries) => Object.fromEntries<unknown>(entries));
}
const end = fc.constantFrom('x', 'y', 'z');
const someEdge = fc
  .record({ source: end, destination: end, more: objectOf(value) })
  .map(({ source, destination, more }) => ({ ...more, source: { id: source }, destination: { id: destination } }));
const records = objectOf(value);
const data = fc
  .record(
    {
      nodes: records,
      primitiveNodes: records,
      outputNodes: records,
      annotations: records,
      connections: fc.array(someEdge, { maxLength: 6 }),
      config: records,
      unknown: value,
    },
    { requiredKeys: [] },
  )
  .map((made) => JSON.parse(JSON.stringify(made)) as Json);

describe('the diff of any two versions', () => {
  it('turns the first version into the second when it is applied', () => {
    fc.assert(
      fc.property(data, data, (a, b) => {
        expect(ordered(apply(diffData(a, b), a, b))).toBe(ordered(b));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is "same" exactly if the versions are equal', () => {
    fc.assert(
      fc.property(data, data, (a, b) => {
        expect(diffData(a, a)).toEqual(nothing);
        expect(diffData(a, b).same).toBe(ordered(a) === ordered(b));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** A text that is equal for versions that differ only in the order of keys or edges. */
function ordered(version: Json): string {
  const edges = version['connections'] as Edge[] | undefined;
  return canonicalJson({ ...version, ...(edges && { connections: edges.map(canonicalJson).sort() }) });
}

/** Applies the diff to a copy of `a`. Added records come from `b`, because the diff contains only their names. */
function apply(diff: DataDiff, a: Json, b: Json): Json {
  const result = structuredClone(a);
  for (const [shown, group] of Object.entries(GROUPS)) {
    const { added, removed, changed } = diff[shown as keyof typeof GROUPS];
    if (added.length > 0) result[group] ??= {};
    const records = result[group] as Json;
    for (const name of removed) Reflect.deleteProperty(records, name);
    for (const name of added) set(records, name, (b[group] as Json)[name]);
    for (const { name, fields } of changed) set(records, name, applyFields(records[name], fields));
  }
  const { added, removed, changed } = diff.edges;
  if (added.length > 0) result['connections'] ??= [];
  const edges = result['connections'] as Edge[];
  for (const edge of removed) {
    const text = canonicalJson(edge);
    edges.splice(
      edges.findIndex((one) => canonicalJson(one) === text),
      1,
    );
  }
  for (const { source, destination, fields } of changed) {
    const at = edges.findIndex((one) => one.source.id === source && one.destination.id === destination);
    edges[at] = applyFields(edges[at], fields) as Edge;
  }
  edges?.push(...added);
  return applyFields(result, diff.other) as Json;
}

function applyFields(record: unknown, fields: readonly FieldChange[]): unknown {
  return fields.reduce((value, field) => {
    if (field.path === '') return field.after;
    const keys = readPath(field.path);
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at, name) => at[name] as Json, value as Json);
    if ('after' in field) set(parent, last, field.after);
    else Reflect.deleteProperty(parent, last);
    return value;
  }, record);
}

const readPath = (path: string): string[] =>
  [...path.matchAll(/(?:^|\.)((?:\\.|[^\\.])*)/gs)].map(([, part = '']) =>
    part === String.raw`\0` ? '' : part.replaceAll(/\\(.)/gs, '$1'),
  );

/** Also for the key `__proto__`. */
const set = (record: Json, name: string, value: unknown) =>
  Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
