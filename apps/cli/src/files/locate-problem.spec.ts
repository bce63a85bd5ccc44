import { describe, expect, it } from '@jest/globals';
import { locateProblem } from './locate-problem.js';
import { YamlPositions } from './yaml-positions.js';

const FILE = `millrace: 1
name: a
data:
  nodes:
    a.b-1:
      type: SCRIPT
      inputs:
        text: {type: STRING, order: one}
  connections:
    - {from: x-1/file, to: a.b-1/txet}
    - source: {id: output/y-1/file}
      destination: {id: input/a.b-1/text}
  primitiveNodes:
    in-1: {type: FIEL}
`;
const positions = new YamlPositions(FILE);
const locate = (problem: { path?: string; node?: string; port?: string }) => {
  const found = locateProblem(positions, 'data', problem);
  return found && `${found.line}:${found.column}`;
};

describe('a problem of a workflow file', () => {
  it.each([
    ['at a field', { path: 'primitiveNodes.in-1.type', node: 'in-1' }, '14:12'],
    ['at a field of a node with a dot in its name', { path: 'nodes.a.b-1.inputs.text.order' }, '8:30'],
    ['at a missing field is at its parent', { path: 'nodes.a.b-1.script.source' }, '5:5'],
    ['at an item of a list', { path: 'connections.1.source' }, '11:7'],
    ['at a node', { node: 'a.b-1' }, '5:5'],
    ['at an input of a node', { node: 'a.b-1', port: 'text' }, '8:9'],
    ['at an input that only a connection names', { node: 'a.b-1', port: 'txet' }, '10:28'],
    ['at a node that only a connection names', { node: 'y-1', port: 'file' }, '11:20'],
    ['at a node without a port that only a connection names', { node: 'x-1' }, '10:14'],
    ['at a workflow input', { node: 'in-1' }, '14:5'],
  ])('%s has its line and column', (_, problem, place) => expect(locate(problem)).toBe(place));

  it('without a place in the file has none', () => {
    expect(locate({})).toBeNull();
    expect(locate({ node: 'nowhere' })).toBeNull();
  });
});
