import { expect, it } from '@jest/globals';
import { locateFields } from './locate-fields.js';

const FILE = `name: x
data:
  nodes:
    a.b-1:
      type: SCRIPT
      retries: -1
    a:
      type: TOOL
  connections:
    - { from: a/file, to: a.b-1/file }
    - source: { id: output/x }
      destination: { id: input/y }
`;
const valueOf = (path: string) => ({ path, part: 'value' as const });
const lines = (...paths: string[]) => locateFields(FILE, paths.map(valueOf)).map((place) => place?.line ?? null);

it('finds fields whose keys contain dots', () => {
  expect(lines('nodes.a.b-1.retries', 'nodes.a.b-1', 'nodes.a.type')).toEqual([6, 4, 8]);
});

it('finds the ends of connections in both forms', () => {
  expect(lines('connections.0.source', 'connections.0.destination', 'connections.1.destination.id')).toEqual([
    10, 10, 12,
  ]);
  const path = 'connections.0.destination.id';
  expect(locateFields(FILE, [valueOf(path), { path, part: 'key' }])).toEqual([
    { line: 10, column: 27 },
    { line: 10, column: 23 },
  ]);
});

it('falls back to the nearest field around a missing one, and to nothing', () => {
  expect(lines('nodes.a.inputs.file.value', 'nodes.missing', 'annotations', 'connections.9')).toEqual([7, 3, null, 9]);
});

it('finds fields in a file of the command line', () => {
  const file = 'name: x\nworkflow:\n  nodes:\n    a-1: {}\n';
  expect(locateFields(file, [valueOf('nodes.a-1')])).toEqual([{ line: 4, column: 5 }]);
});
