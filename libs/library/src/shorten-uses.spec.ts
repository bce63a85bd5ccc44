import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expandUses } from './expand-uses.js';
import { listCopies, shortenUses } from './shorten-uses.js';
import { sort } from './testing/sort-module.js';

const expand = (node: object) => expandUses({ nodes: { 'sort-1': node } }, () => sort).data as Data;
const shorten = (data: Data) => (shortenUses(data, () => sort) as Data).nodes['sort-1'];
type Data = { nodes: Record<string, Record<string, unknown>> };

it('a copied node is written as what was set on it, with the version of its module', () => {
  const own = { meta: { label: 'sorted' }, retries: 2, inputs: { key: '2n', unique: true } };
  expect(shorten(expand({ uses: 'sort-lines', ...own }))).toEqual({ uses: 'sort-lines', module_version: 3, ...own });
});

it('an input with more than a value keeps the fields that differ', () => {
  const inputs = { key: { value: '1', order: 7 }, 'file/a-1': { type: 'FILE', order: 4 } };
  expect(shorten(expand({ uses: 'sort-lines', inputs }))).toMatchObject({
    inputs: { key: { value: '1', order: 7, visible: true }, 'file/a-1': { type: 'FILE', order: 4 } },
  });
});

it('a node that was changed so that it would not expand to the same stays as it is', () => {
  const { nodes } = expand({ uses: 'sort-lines' });
  const { bee_type: _, ...without } = nodes['sort-1'] ?? {};
  expect(shorten({ nodes: { 'sort-1': without } })).toEqual(without);
  const { inputs: __, ...withoutInputs } = nodes['sort-1'] ?? {};
  expect(shorten({ nodes: { 'sort-1': withoutInputs } })).toEqual(withoutInputs);
  const copy = nodes['sort-1'] as object;
  expect(shorten({ nodes: { 'sort-1': { ...copy, id: 'another module' } } })).toMatchObject({ id: 'another module' });
});

it('a node whose module is not found, and one that was never copied, stay as they are', () => {
  const data = expand({ uses: 'sort-lines' });
  expect(shortenUses(data, () => undefined)).toEqual(data);
  const own = { nodes: { a: { type: 'SCRIPT', script: { source: 'a' } }, b: { uses: 'sort-lines' }, c: null } };
  expect(shortenUses(own, () => sort)).toEqual(own);
});

it('listCopies lists each version once', () => {
  const node = { uses: 'x', id: '1', module_version: 2, type: 'TOOL' };
  const nodes = { a: node, b: node, c: { ...node, module_version: 3 }, d: { uses: 'x' }, e: 7 };
  expect(listCopies({ nodes })).toEqual([
    { uses: 'x', id: '1', version: 2 },
    { uses: 'x', id: '1', version: 3 },
  ]);
});

it('the short form of any node expands to the same node', () => {
  const value = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer());
  const fields = fc.record(
    { value, visible: fc.boolean(), order: fc.integer(), type: fc.string(), extra: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const inputs = fc.dictionary(
    fc.constantFrom('key', 'unique', 'file', 'file/a-1', 'nothing', '__proto__'),
    fc.oneof(fields, value),
  );
  const changes = fc.record(
    {
      retries: fc.integer(),
      bee_type: fc.constantFrom('small', 'large'),
      outputs: fc.jsonValue(),
      script: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(inputs, changes, fc.option(inputs), (set, changed, replaced) => {
      const { nodes } = expand({ uses: 'sort-lines', inputs: set });
      const node = { ...nodes['sort-1'], ...changed, ...(replaced && { inputs: replaced }) };
      const short = shorten({ nodes: { 'sort-1': node } }) ?? {};
      expect(expand(short).nodes['sort-1']).toEqual(node);
    }),
  );
});
