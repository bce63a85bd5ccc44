import { expect, it } from '@jest/globals';
import { validateWorkflow } from '@millrace/graph/check/validate-workflow';
import { expandUses, listUses } from './expand-uses.js';
import { listCopies } from './shorten-uses.js';
import { sort } from './testing/sort-module.js';

const find = ({ uses }: { uses: string }) => (uses === 'sort-lines' ? sort : { message: `no ${uses}`, hint: 'look' });
const withNode = (node: object) => ({ nodes: { 'sort-1': node } });
const expand = (node: object) => {
  const { data, problems } = expandUses(withNode(node), find);
  return { problems, node: (data as { nodes: Record<string, Record<string, unknown>> }).nodes['sort-1'] };
};

it('a node that uses a module becomes a copy of the module and keeps its own fields', () => {
  const { node, problems } = expand({
    uses: 'sort-lines',
    inputs: { key: '2n' },
    retries: 2,
    bee_type: 'large',
    note: 1,
  });
  expect(problems).toEqual([]);
  expect(node).toEqual({
    uses: 'sort-lines',
    id: sort.id,
    module_version: 3,
    type: 'TOOL',
    container: { command: ['sort'] },
    output_command: '>',
    bee_type: 'large',
    retries: 2,
    note: 1,
    inputs: {
      key: { type: 'STRING', order: 1, command: '--key', visible: true, value: '2n' },
      unique: { type: 'BOOLEAN', order: 2, command: '--unique', visible: true, value: false },
      file: { type: 'FILE', order: 9, visible: true },
    },
    outputs: { file: { type: 'FILE', order: 1 } },
  });
});

it('an expanded node is valid', () => {
  const workflow = {
    primitiveNodes: { 'http-input-1': { type: 'FILE', label: 'list' } },
    nodes: { 'sort-1': { uses: 'sort-lines', inputs: { unique: true } } },
    connections: [{ source: { id: 'output/http-input-1' }, destination: { id: 'input/sort-1/file' } }],
  };
  expect(validateWorkflow(expandUses(workflow, find).data)).toEqual({ errors: [], warnings: [] });
});

it('an input can override some fields of the module, and the entries of connections stay', () => {
  const entry = { type: 'FILE', order: 4 };
  const { node } = expand({ uses: 'sort-lines', inputs: { key: { value: '1', order: 7 }, 'file/a-1': entry } });
  expect(node?.['inputs']).toMatchObject({ key: { type: 'STRING', order: 7, value: '1' }, 'file/a-1': entry });
});

it('a node with a type stays unmodified, so a saved copy never changes', () => {
  const { node: saved } = expand({ uses: 'sort-lines', inputs: { key: '2' } });
  const data = withNode(saved ?? {});
  expect(expandUses(data, () => ({ message: 'deleted' }))).toEqual({ data, problems: [] });
  expect(listUses(data)).toEqual([]);
  const own = withNode({ type: 'SCRIPT', uses: 'something else', script: { source: 'a' } });
  expect(expandUses(own, find).data).toBe(own);
});

it('an unknown module and an unknown input are problems with a hint', () => {
  expect(expand({ uses: 'srot-lines' }).problems).toEqual([
    {
      code: 'unknown_library_module',
      node: 'sort-1',
      path: 'nodes.sort-1.uses',
      message: 'no srot-lines',
      hint: 'look',
    },
  ]);
  const internal = { message: 'unusable', isKnown: true };
  expect(expandUses(withNode({ uses: 'x' }), () => internal).problems[0]).not.toHaveProperty('isKnown');
  expect(expand({ uses: 'sort-lines', inputs: { uniqe: true } }).problems).toMatchObject([
    { code: 'unknown_input', node: 'sort-1', path: 'nodes.sort-1.inputs.uniqe', hint: 'Did you mean "unique"?' },
  ]);
});

it.each([null, 7, 'x', [], {}, { nodes: [] }, { nodes: { a: null, b: { uses: 5 } } }])(
  'data without expandable nodes stays unmodified: %j',
  (data) => {
    expect(listUses(data)).toEqual([]);
    expect(expandUses(data, find)).toEqual({ data, problems: [] });
  },
);

it.each(['3', 0, 1.5, -1, 3_000_000_000, true])(
  'module_version %j is a problem, because no version has this number',
  (version) => {
    expect(expand({ uses: 'sort-lines', module_version: version }).problems).toMatchObject([
      { code: 'bad_value', node: 'sort-1', path: 'nodes.sort-1.module_version' },
    ]);
    const copy = { ...expand({ uses: 'sort-lines' }).node, module_version: version };
    expect(listCopies(withNode(copy))).toEqual([]);
  },
);

it('listUses counts the nodes that use each version of a module', () => {
  const nodes = {
    ...{ a: { uses: 'x' }, b: { uses: 'x' }, c: { uses: 'y' }, d: { uses: 'x', type: 'TOOL' } },
    ...{ e: { uses: 'x', module_version: 2 }, f: { uses: 'x', module_version: 'two' } },
  };
  expect(listUses({ nodes })).toEqual([
    { uses: 'x', count: 3 },
    { uses: 'y', count: 1 },
    { uses: 'x', version: 2, count: 1 },
  ]);
});
