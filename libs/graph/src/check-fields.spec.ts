import { describe, expect, it } from '@jest/globals';
import { validateWorkflow } from './validate-workflow.js';

const node = { type: 'SCRIPT', script: { source: 'x' } };
const found = (data: object) =>
  validateWorkflow(data).warnings.flatMap(({ code, path, hint }) => (code === 'unknown_field' ? [[path, hint]] : []));
const ofNode = (more: object) => found({ nodes: { 'a-1': { ...node, ...more } } });
const meant = (field: string) => `did you mean "${field}"?`;

describe('a field that does not exist', () => {
  it.each([
    ['retry', 3, meant('retries')],
    ['max-retries', 3, meant('retries')],
    ['timeout', 60, meant('timeout_seconds')],
    ['timeoutSeconds', 60, meant('timeout_seconds')],
    ['scrpt_type', 'bash', meant('script_type')],
    ['Cache', true, meant('cache')],
    ['netwrok', true, meant('network')],
    ['env', {}, expect.stringContaining('"environment"')],
    ['command', 'sort', expect.stringContaining('"container"')],
    ['depends_on', [], expect.stringContaining('connections')],
    ['continue_on_error', true, expect.any(String)],
  ])('%s on a node is a warning that says what to write', (field, value, hint) => {
    expect(ofNode({ [field]: value })).toEqual([[`nodes.a-1.${field}`, hint]]);
  });

  it('is found where the whole program is misspelt', () => {
    expect(found({ nodes: { 'a-1': { type: 'SCRIPT', scrpt: { source: 'x' } } } })).toEqual([
      ['nodes.a-1.scrpt', meant('script')],
    ]);
  });

  it('is found in each record of a node, in inputs of the workflow and in connections', () => {
    const data = {
      nodes: {
        'a-1': {
          ...{
            type: 'TOOL',
            container: { command: 'x', env: {} },
            distribution: { input: 'f', mode: 'line', split: 2 },
          },
          inputs: { f: { type: 'FILE', vlaue: 'https://example.org/a' } },
          outputs: { file: { type: 'FILE', parametername: 'f' } },
        },
        'b-1': { type: 'SCRIPT', script: { source: 'x', code: 'y' } },
      },
      primitiveNodes: { 'p-1': { type: 'STRING', lable: 'p', value: 'x' } },
      connections: [
        { source: { id: 'output/b-1/file' }, destination: { id: 'input/a-1/f' }, destinations: { id: 'x' } },
        { source: { id: 'output/p-1' }, destination: { id: 'input/b-1/x' }, sourceHandle: 'kept', target: 'kept' },
      ],
    };
    expect(found(data)).toEqual([
      ['nodes.a-1.container.env', meant('environment')],
      ['nodes.a-1.distribution.split', meant('splits')],
      ['nodes.a-1.inputs.f.vlaue', meant('value')],
      ['nodes.a-1.outputs.file.parametername', meant('parameter_name')],
      ['nodes.b-1.script.code', meant('source')],
      ['primitiveNodes.p-1.lable', meant('label')],
    ]);
  });

  it('is none of these: what editors keep, and what resembles no field', () => {
    const more = {
      workerConnected: true,
      color: 'red',
      notes: 'x',
      position: { x: 1 },
      note: 'x',
      id: 'x',
      owner: 'me',
    };
    expect(ofNode({ ...more, meta: { label: 'a', coordinates: {}, lable: 'free' } })).toEqual([]);
  });
});
