import { expect, it } from '@jest/globals';
import { applyDiff } from '../document/diff.js';
import { readDocument } from '../document/document.js';
import { disconnect } from '../edits/connection-edits.js';
import { updateGroup } from '../edits/group-edits.js';
import { updateNode } from '../edits/node-edits.js';
import { GraphDeriver } from './derive-graph.js';

const document = readDocument({
  primitiveNodes: { hosts: { type: 'FILE', label: 'Hosts' } },
  nodes: {
    'a-1': { type: 'SCRIPT', script: { source: '# comment\necho a' } },
    'b-1': { type: 'SCRIPT', inputs: { host: { type: 'STRING' } }, distribution: { input: 'host', mode: 'line' } },
  },
  connections: [
    { source: { id: 'output/hosts' }, destination: { id: 'input/a-1/file' } },
    { source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/host/a-1' } },
  ],
  config: { groups: { 'group-1': { label: 'Both', nodes: ['a-1', 'b-1'] } } },
});
const facts = { problems: new Map(), tables: new Map(), positions: { hosts: { x: 0, y: 0 }, 'a-1': { x: 9, y: 9 } } };
const deriver = new GraphDeriver();
const derive = (changed = document) => deriver.derive(changed, facts);

it('a node shows its label, what it runs and how often', () => {
  const { nodes } = derive();
  expect(nodes.map(({ data }) => [data.title, data.subtitle, data.distribution])).toEqual([
    ['Hosts', 'set for each run', undefined],
    ['a-1', 'echo a', undefined],
    ['b-1', 'empty script', '× lines'],
  ]);
});

it('a label of its own comes before the name; one that only repeats the name does not', () => {
  const labelled = (label: string) =>
    derive(
      applyDiff(
        document,
        updateNode(document, 'a-1', (node) => ({ ...node, meta: { label } })),
      ),
    ).nodes[1];
  expect(labelled('Hosts of today')).toMatchObject({
    label: 'Hosts of today',
    description: 'script, named a-1',
    data: { title: 'Hosts of today' },
  });
  expect(labelled('a')).toMatchObject({ label: 'a-1', description: 'script', data: { title: 'a-1' } });
});

it('an edit of one node keeps the other nodes and the edges', () => {
  const before = derive();
  const edited = applyDiff(
    document,
    updateNode(document, 'a-1', (node) => ({ ...node, retries: 2, cache: true })),
  );
  const after = derive(edited);
  expect(after.edges).toBe(before.edges);
  expect(after.nodes.map((node, at) => node === before.nodes[at])).toEqual([true, false, true]);
});

it('an edge is dashed as long as its target distributes', () => {
  const lookOf = (changed = document) => derive(changed).edges.map(({ isDashed = false }) => isDashed);
  expect(lookOf()).toEqual([false, true]);
  expect(
    lookOf(
      applyDiff(
        document,
        updateNode(document, 'b-1', ({ distribution: _once, ...node }) => node),
      ),
    ),
  ).toEqual([false, false]);
  expect(lookOf(applyDiff(document, disconnect(document, [Object.keys(document.connections)[1] ?? ''])))).toEqual([
    false,
  ]);
});

it('a collapsed group replaces its nodes, and edges end at it', () => {
  const { nodes, edges } = derive(applyDiff(document, updateGroup(document, 'group-1', { is_collapsed: true })));
  expect(nodes.map(({ id }) => id)).toEqual(['hosts', 'group/group-1']);
  expect(edges.map(({ source, target }) => [source, target])).toEqual([['hosts', 'group/group-1']]);
  expect(nodes[1]).toMatchObject({ x: 9, y: 9, label: 'Both' });
});
