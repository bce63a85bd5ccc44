import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { findOrigins } from './find-origins.js';

const script = { type: 'SCRIPT', script: { source: 'x' } };
const splitter = { type: 'SPLITTER' };
const connect = (from: string, port: string, to: string, input: string) => ({
  source: { id: `output/${from}/${port}` },
  destination: { id: `input/${to}/${input}/${from}` },
});

/** list-1 is split, each item goes through scan-1, and all-1 gathers them; other-1 is beside them. */
const plan = compilePlan(
  {
    nodes: { 'list-1': script, 'split-1': splitter, 'scan-1': script, 'all-1': script, 'other-1': script },
    connections: [
      connect('list-1', 'file', 'split-1', 'multiple'),
      connect('split-1', 'output', 'scan-1', 'file'),
      connect('scan-1', 'folder', 'all-1', 'folder'),
    ],
  },
  {},
);

const originsOf = (...nodes: string[]) => {
  const found = findOrigins(
    plan,
    nodes.map((node) => ({ node })),
  );
  return [...new Set(found.map((index) => plan.steps[index]?.node))].sort();
};

describe('findOrigins', () => {
  it('finds the steps whose outputs get into those of a node, also through a distribution', () => {
    expect(originsOf('all-1')).toEqual(['all-1', 'list-1', 'scan-1', 'split-1']);
    expect(originsOf('scan-1')).toEqual(['list-1', 'scan-1', 'split-1']);
  });

  it('finds neither steps beside the node nor steps after it', () => {
    expect(originsOf('other-1')).toEqual(['other-1']);
    expect(originsOf('list-1', 'other-1')).toEqual(['list-1', 'other-1']);
  });

  it('finds nothing for a node that does not exist', () => {
    expect(originsOf('nothing-1')).toEqual([]);
  });
});
