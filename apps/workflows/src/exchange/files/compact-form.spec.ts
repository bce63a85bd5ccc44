import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compactConnections, expandConnections } from './compact-form.js';

it('a connection of two ends is written in one line, and its prefixes are optional', () => {
  const data = { connections: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/file/a-1' } }] };
  const compact = { connections: [{ from: 'a-1/file', to: 'b-1/file/a-1' }] };
  expect(compactConnections(data)).toEqual(compact);
  expect(expandConnections(compact)).toEqual(data);
  expect(expandConnections({ connections: [{ from: 'output/a-1/file', to: 'input/b-1/file/a-1' }] })).toEqual(data);
});

it('the compact form of any data expands to the same data', () => {
  const id = fc.oneof(
    fc.string(),
    fc.constantFrom('output/a', 'input/b', 'output/output/a', 'output/', 'input/input/'),
  );
  const end = fc.oneof(fc.record({ id }), fc.record({ id, extra: fc.integer() }));
  const connection = fc.oneof(
    fc.record({ source: end, destination: end }),
    fc.record({ source: end, destination: end, label: fc.string() }),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.array(connection), fc.string(), (connections, name) => {
      const data = { nodes: { [`n${name}`]: {} }, connections };
      expect(expandConnections(compactConnections(data))).toEqual(data);
    }),
  );
});
