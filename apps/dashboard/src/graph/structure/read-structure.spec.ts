import { expect, it } from '@jest/globals';
import { readStructure } from './read-structure.js';

const connect = (source: string, destination: string) => ({ source: { id: source }, destination: { id: destination } });

it('nodes, used inputs and connections are read', () => {
  const structure = readStructure({
    primitiveNodes: { 'file-1': { label: 'hosts' }, 'string-1': { label: 'unused' } },
    nodes: {
      'split-1': { type: 'SPLITTER' },
      'scan-1': { type: 'SCRIPT', meta: { label: 'scan', coordinates: { x: 10, y: 20 } } },
      'deep-1': { type: 'WORKFLOW' },
      'ask-1': { type: 'APPROVAL' },
    },
    connections: [
      connect('output/file-1/output', 'input/split-1/multiple/file-1'),
      connect('output/split-1/output', 'input/scan-1/host'),
      connect('output/scan-1/file', 'input/deep-1/a'),
      connect('output/scan-1/folder', 'input/deep-1/b'),
      connect('output/absent-1', 'input/ask-1'),
    ],
  });
  expect(structure.nodes).toEqual([
    { id: 'file-1', kind: 'input', label: 'hosts' },
    { id: 'split-1', kind: 'splitter', label: 'split-1' },
    { id: 'scan-1', kind: 'step', label: 'scan', at: { x: 10, y: 20 } },
    { id: 'deep-1', kind: 'module', label: 'deep-1' },
    { id: 'ask-1', kind: 'approval', label: 'ask-1' },
  ]);
  expect(structure.edges.map(({ id, isDashed }) => [id, isDashed])).toEqual([
    ['file-1 split-1', false],
    ['split-1 scan-1', true],
    ['scan-1 deep-1', false],
  ]);
});

it.each([undefined, null, 'text', { nodes: 7, connections: [null, {}, { source: 1 }] }])('%j has no graph', (data) => {
  expect(readStructure(data)).toEqual({ nodes: [], edges: [] });
});
