import { describe, expect, it } from '@jest/globals';
import { describeModulePorts } from './describe-module-ports.js';

const script = (label?: string) => ({ type: 'SCRIPT', script: { source: 'cat' }, ...(label && { meta: { label } }) });
const INNER = {
  nodes: { 'grep-1': script('found'), 'grep-2': script('grep'), 'cut-1': script() },
  primitiveNodes: {
    'string-input-1': { type: 'STRING', label: 'pattern', value: 'a' },
    'string-input-2': { type: 'STRING', label: 'b', value: 'b' },
    'string-input-3': { type: 'STRING' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'loud' },
    'http-input-1': { type: 'FILE', label: 'list' },
  },
};

describe('the ports of a workflow as a module', () => {
  it('are its labelled inputs, its inputs without a value, and its labelled nodes', () => {
    expect(describeModulePorts(INNER, {})).toEqual({
      inputs: [
        { name: 'list', type: 'FILE', value: null },
        { name: 'loud', type: 'BOOLEAN', value: false },
        { name: 'pattern', type: 'STRING', value: 'a' },
        { name: 'string-input-3', type: 'STRING', value: null },
      ],
      outputs: [
        { name: 'found', type: 'FILE' },
        { name: 'grep', type: 'FILE' },
      ],
      problems: [],
    });
  });

  it('include those of its named modules', () => {
    const wrapped = { nodes: { 'unpack-1': { ...script('files'), outputs: { folder: { type: 'FOLDER' } } } } };
    const data = { nodes: { 'm-1': { type: 'WORKFLOW', workflow: 'w', meta: { label: 'inner' } } } };
    const modules = { w: { workflow_id: 'w', data: wrapped } };
    expect(describeModulePorts(data, modules).outputs).toEqual([{ name: 'inner/files', type: 'FOLDER' }]);
  });

  it('come with the problems of the workflow', () => {
    const { problems } = describeModulePorts({ nodes: { 'a-1': { type: 'SCRIPT' } } }, {});
    expect(problems).toMatchObject([{ code: 'script_without_source', node: 'a-1' }]);
    for (const invalid of [null, 1, [], { nodes: 1 }]) {
      expect(describeModulePorts(invalid, {})).toMatchObject({
        inputs: [],
        outputs: [],
        problems: [{ code: 'malformed' }],
      });
    }
  });
});
