import { describe, expect, it } from '@jest/globals';
import { listLocalChanges } from './local-changes.js';
import { parseWorkflowFile } from './workflow-file.js';

const dataOf = (yaml: string) => parseWorkflowFile(`millrace: 1\nname: a\ndata:\n${yaml}`, 'a.yaml').workflow;

describe('the local changes of a file', () => {
  it('are none if the version has the same data', () => {
    expect(listLocalChanges({ nodes: { a: { type: 'SCRIPT' } } }, dataOf('  nodes: {a: {type: SCRIPT}}'))).toEqual([]);
  });

  it('are none if the server only completed nodes that use a library module', () => {
    const stored = { uses: 'sort-lines', type: 'TOOL', inputs: { by: { type: 'STRING', value: 'n' } } };
    expect(
      listLocalChanges({ nodes: { a: stored } }, dataOf('  nodes: {a: {uses: sort-lines, inputs: {by: n}}}')),
    ).toEqual([]);
    expect(
      listLocalChanges({ nodes: { a: stored } }, dataOf('  nodes: {a: {uses: sort-lines, inputs: {by: m}}}')),
    ).toEqual(['~ node a: inputs.by']);
  });

  it('name nodes, inputs, connections and other fields', () => {
    const version = { nodes: { a: { type: 'SCRIPT' }, b: {} }, primitiveNodes: { i: { type: 'STRING' } }, config: 1 };
    const file = dataOf(
      '  nodes: {a: {type: TOOL}, c: {type: TOOL}}\n  primitiveNodes: {i: {type: FILE}}\n  connections: [{from: a/x, to: c/y}]\n  config: 2',
    );
    expect(listLocalChanges(version, file)).toEqual([
      ...['~ node a: type', '- node b', '+ node c', '~ input i: type', '~ connections', '~ field config'],
    ]);
  });
});
