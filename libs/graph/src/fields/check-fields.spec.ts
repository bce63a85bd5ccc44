import { describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '../check/validate-workflow.js';

const node = { type: 'SCRIPT', script: { source: 'x' } };
const found = (data: object) =>
  validateWorkflow(data).warnings.flatMap(({ code, path, hint }) => (code === 'unknown_field' ? [[path, hint]] : []));
const ofNode = (more: object) => found({ nodes: { 'a-1': { ...node, ...more } } });
const meant = (field: string) => `Did you mean "${field}"?`;

describe('an unknown field', () => {
  it.each([
    ['retry', 3, meant('retries')],
    ['max-retries', 3, meant('retries')],
    ['timeout', 60, meant('timeout_seconds')],
    ['timeoutSeconds', 60, meant('timeout_seconds')],
    ['scrpt_type', 'bash', meant('script_type')],
    ['Cache', true, meant('cache')],
    ['netwrok', true, meant('network')],
    ['env', {}, expect.stringContaining('`environment`')],
    ['command', 'sort', expect.stringContaining('`container.command`')],
    ['depends_on', [], expect.stringContaining('connections')],
    ['continue_on_error', true, meant('on_error')],
    ['onError', 'continue', meant('on_error')],
    ['failThreshold', 5, meant('fail_threshold')],
    ['max-failures', 5, meant('fail_threshold')],
    ['if', 'inputs.deep = true', meant('when')],
    ['unless', 'inputs.deep = true', expect.stringContaining('opposite')],
  ])('%s on a node is a warning that suggests what to write', (field, value, hint) => {
    expect(ofNode({ [field]: value })).toEqual([[`nodes.a-1.${field}`, hint]]);
  });

  it('is reported if it is a misspelt `script` or `container`', () => {
    expect(found({ nodes: { 'a-1': { type: 'SCRIPT', scrpt: { source: 'x' } } } })).toEqual([
      ['nodes.a-1.scrpt', meant('script')],
    ]);
  });

  it('is reported in each record of a node, in inputs of the workflow and in connections', () => {
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
        'c-1': { type: 'APPROVAL', approval: { mesage: 'x', timeout: 60 } },
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
      ['nodes.c-1.approval.mesage', meant('message')],
      ['nodes.c-1.approval.timeout', meant('expires_after_seconds')],
      ['primitiveNodes.p-1.lable', meant('label')],
    ]);
  });

  it.each([
    ['edges', [{}], meant('connections')],
    ['links', [{}], meant('connections')],
    ['connection', [{}], meant('connections')],
    ['conections', [{}], meant('connections')],
    ['primitiveNode', { 'p-1': {} }, meant('primitiveNodes')],
    ['primitve_nodes', { 'p-1': {} }, meant('primitiveNodes')],
    ['inputs', { list: 'x' }, meant('primitiveNodes')],
    ['params', { list: 'x' }, meant('primitiveNodes')],
    ['outputs', { list: 'x' }, expect.stringContaining('`meta.label`')],
    ['env', { A: 'x' }, expect.stringContaining('`environment`')],
    ['schedule', '0 * * * *', expect.stringContaining('A schedule is not part of the workflow data')],
  ])('%s beside the nodes is a warning that suggests what to write', (field, value, hint) => {
    expect(found({ nodes: { 'a-1': node }, connections: [], [field]: value })).toEqual([[field, hint]]);
  });

  it.each(['node', 'Nodes', 'steps', 'tasks', 'jobs', 'stages'])('%s in place of the nodes is a warning', (field) => {
    expect(found({ [field]: { 'a-1': node } })).toEqual([[field, meant('nodes')]]);
  });

  it('is named without a path in the message if it is beside the nodes', () => {
    const { warnings } = validateWorkflow({ nodes: { 'a-1': node }, edges: [{}] });
    expect(warnings).toContainEqual(
      expect.objectContaining({ message: 'The workflow has the unknown field "edges", which has no effect.' }),
    );
  });

  it.each([
    ['lable', meant('label')],
    ['labl', meant('label')],
    ['Label', meant('label')],
    ['title', meant('label')],
    ['display_name', meant('label')],
  ])('%s in "meta" is a warning', (field, hint) => {
    expect(ofNode({ meta: { coordinates: { x: 0, y: 0 }, [field]: 'first' } })).toEqual([
      [`nodes.a-1.meta.${field}`, hint],
    ]);
  });

  it('beside the nodes is accepted if editors store it, the field that it resembles is set, or it is empty', () => {
    const kept = {
      name: 'x',
      version: 2,
      viewport: { x: 1 },
      position: {},
      zoom: 1,
      notes: 'x',
      groups: [{}],
      theme: 'x',
    };
    const known = { outputNodes: {}, annotations: { 'note-1': { text: 'x' } }, config: { grid: true } };
    const one = { source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/file' } };
    const both = { connections: [one], edges: [{}], inputs: {}, tasks: { 'a-1': {} } };
    expect(found({ nodes: { 'a-1': node, 'b-1': node }, ...kept, ...known, ...both })).toEqual([]);
  });

  it('in "meta" is accepted if editors store it or a label is set', () => {
    const kept = { coordinates: {}, position: {}, labels: ['x'], level: 1, color: 'red', name: 'x', description: 'x' };
    expect(ofNode({ meta: kept })).toEqual([]);
    expect(ofNode({ meta: { label: 'first', title: 'First' } })).toEqual([]);
  });

  it('on a node is accepted if editors store it or it resembles no field', () => {
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
