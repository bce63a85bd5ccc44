import { expect, it, describe } from '@jest/globals';
import fc from 'fast-check';
import { listLibraryIds, canonicalJson } from './encode-data.js';

const [A, B] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];

it('the ids of library modules in nodes are listed once each, in upper or lower case', () => {
  const ids = [B, A.toUpperCase(), A, 'sort', '', null, 7, undefined];
  const nodes = { ...Object.fromEntries(ids.map((id, at) => [`n-${at}`, { id }])), odd: null, other: 'text' };
  expect(listLibraryIds({ nodes, primitiveNodes: { x: { id: '00000000-0000-4000-8000-00000000000c' } } })).toEqual([
    A,
    B,
  ]);
});

it('the ids of library modules are found in any data', () => {
  fc.assert(fc.property(fc.anything(), (data) => expect(listLibraryIds(data)).toEqual([])));
  fc.assert(fc.property(fc.anything(), (nodes) => expect(listLibraryIds({ nodes })).toEqual([])));
});

const reverseKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
};

describe('canonical JSON', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reverseKeys(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('contains the whole value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('depends on the order of lists', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});
