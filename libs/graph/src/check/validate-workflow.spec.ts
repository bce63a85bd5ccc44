import { describe, expect, it } from '@jest/globals';
import { type Modules } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw, drawChain } from '../testing/draw-workflow.js';
import { InvalidWorkflowError } from './problem.js';
import { validateWorkflow } from './validate-workflow.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const FILE = { type: 'FILE', order: 0, command: '-f' } as const;
const LINES = { distribution: { input: 'file', mode: 'line' } } as const;
const BATCHES = { distribution: { input: 'file', mode: 'batch', splits: 2 } } as const;

const module = (data: unknown, workflow_id = 'w'): Modules => ({ m: { workflow_id, data } });
const feed = () => draw().primitive('http-input-1', 'FILE', null, 'feed');
const splitting = module(feed().script('cut-1', {}, LINES).wire('http-input-1', 'cut-1.file').data());

/** Title, data, the expected code, and the node that the problem names. */
const BAD: [what: string, data: unknown, code: string, node?: string, modules?: Modules][] = [
  ['text', 'nodes', 'malformed'],
  ['null', null, 'malformed'],
  ['a list of nodes', { nodes: [] }, 'malformed'],
  ['an unknown node type', { nodes: { 'a-1': { type: 'AGENT' } } }, 'malformed', 'a-1'],
  ['an edge without an id', { connections: [{ source: { id: '' }, destination: { id: 'x' } }] }, 'malformed'],
  ['a fraction of a retry', draw().script('a-1', {}, { retries: 1.5 }).data(), 'malformed', 'a-1'],
  ['negative retries', draw().script('a-1', {}, { retries: -1 }).data(), 'malformed', 'a-1'],
  ['a timeout of nothing', draw().script('a-1', {}, { timeout_seconds: 0 }).data(), 'malformed', 'a-1'],
  [
    'an unknown interpreter',
    { nodes: { 'a-1': { type: 'SCRIPT', script_type: 'perl', script: { source: 'x' } } } },
    'malformed',
    'a-1',
  ],
  ['5,001 nodes', drawChain(5_001).data(), 'too_many_nodes'],
  ['20,001 edges', { connections: Array.from({ length: 20_001 }, () => ({})) }, 'too_many_edges'],
  [
    'a NUL byte',
    draw()
      .script('a-1', {}, { script: { source: 'a\u0000b' } })
      .data(),
    'bad_text',
  ],
  [
    'half a surrogate pair in a key',
    draw()
      .script('a-1', {}, { meta: { 'x\ud800': 1 } })
      .data(),
    'bad_text',
  ],
  ['a node name with a slash', draw().script('a/b').data(), 'bad_name', 'a/b'],
  ['a node name that leads up', draw().script('..').data(), 'bad_name', '..'],
  ['an empty node name', draw().script('').data(), 'bad_name', ''],
  ['a node name with a line feed', draw().script('a\nb').data(), 'bad_name', 'a\nb'],
  ['a node name of 256 characters', draw().script('x'.repeat(256)).data(), 'bad_name'],
  [
    'an input name that leads up',
    draw()
      .tool('a-1', { '../x': { ...TEXT, value: 'v' } })
      .data(),
    'bad_name',
    'a-1',
  ],
  [
    'a node and an input of one name',
    draw().script('a-1').primitive('a-1', 'STRING', 'x').data(),
    'duplicate_name',
    'a-1',
  ],
  ['a cycle', drawChain(3).wire('step-3.file', 'step-1.file').data(), 'cycle'],
  ['a node that waits for itself', draw().script('a-1').wire('a-1.file', 'a-1.file').data(), 'cycle', 'a-1'],
  ['an edge from nowhere', draw().script('a-1').wire('b-1.file', 'a-1.file').data(), 'unknown_node', 'b-1'],
  ['an edge to nowhere', draw().script('a-1').wire('a-1.file', 'b-1.file').data(), 'unknown_node', 'b-1'],
  [
    'an edge into an input of the workflow',
    draw().script('a-1').primitive('s-1', 'STRING', 'x').wire('a-1.file', 's-1.x').data(),
    'bad_edge',
  ],
  ['an edge the wrong way round', draw().script('a-1').edge('input/a-1/file', 'output/a-1/file').data(), 'bad_edge'],
  [
    'an edge that names another source',
    drawChain(2).script('c-1').edge('output/c-1/file', 'input/step-2/file/step-1').data(),
    'bad_edge',
  ],
  ['an unknown port', draw().script('a-1').script('b-1').wire('a-1.output', 'b-1.file').data(), 'unknown_port', 'a-1'],
  [
    'an unknown port of an input',
    draw().script('a-1').primitive('s-1', 'FILE', 'https://x.org').edge('output/s-1/folder', 'input/a-1/file').data(),
    'unknown_port',
    's-1',
  ],
  [
    'an unknown input of a tool',
    draw().script('a-1').tool('b-1', {}).wire('a-1.file', 'b-1.file').data(),
    'unknown_param',
    'b-1',
  ],
  [
    'an unknown input of a splitter',
    draw().script('a-1').splitter('b-1').wire('a-1.file', 'b-1.file').data(),
    'unknown_param',
    'b-1',
  ],
  [
    'the same edge twice',
    drawChain(2).edge('output/step-1/file', 'input/step-2/file').data(),
    'duplicate_edge',
    'step-2',
  ],
  [
    'a file for text',
    draw().script('a-1').tool('b-1', { t: TEXT }).wire('a-1.file', 'b-1.t').data(),
    'type_mismatch',
    'b-1',
  ],
  [
    'a folder for a file',
    draw().script('a-1').script('b-1').wire('a-1.folder', 'b-1.file').data(),
    'type_mismatch',
    'b-1',
  ],
  [
    'text for a splitter',
    draw().primitive('s-1', 'STRING', 'x').splitter('b-1').wire('s-1', 'b-1.multiple').data(),
    'type_mismatch',
    'b-1',
  ],
  [
    'an item for a folder',
    draw()
      .script('a-1')
      .splitter('s-1')
      .script('b-1')
      .wire('a-1.file', 's-1.multiple')
      .wire('s-1.output', 'b-1.folder')
      .data(),
    'type_mismatch',
    'b-1',
  ],
  ['text without a value', draw().tool('a-1', { t: TEXT }).data(), 'missing_input', 'a-1'],
  ['a file without a connection', draw().script('a-1', { f: FILE }).data(), 'missing_input', 'a-1'],
  ['a splitter with nothing to split', draw().splitter('s-1').data(), 'missing_input', 's-1'],
  [
    'a path where a file is named',
    draw()
      .tool('a-1', { f: { ...FILE, value: '/etc/passwd' } })
      .data(),
    'bad_value',
    'a-1',
  ],
  ['a stored path that leads up', draw().primitive('h-1', 'FILE', 'millrace://file/a/../b').data(), 'bad_value', 'h-1'],
  ['a local repository', draw().primitive('g-1', 'FOLDER', 'file:///srv/x').data(), 'bad_value', 'g-1'],
  ['a flag that is neither true nor false', draw().primitive('b-1', 'BOOLEAN', 'maybe').data(), 'bad_value', 'b-1'],
  [
    'a tool without a command',
    draw()
      .tool('a-1', {}, { container: { image: 'x', command: ' ' } })
      .data(),
    'tool_without_command',
    'a-1',
  ],
  [
    'a script without a source',
    draw()
      .script('a-1', {}, { script: { source: '\n' } })
      .data(),
    'script_without_source',
    'a-1',
  ],
  ['a module that is not there', draw().module('m-1', 'm').data(), 'unknown_module', 'm-1'],
  ['a module named like a method', draw().module('m-1', 'toString').data(), 'unknown_module', 'm-1'],
  [
    'a module that is not valid',
    draw().module('m-1', 'm').data(),
    'invalid_module',
    'm-1',
    module(draw().splitter('s-1').data()),
  ],
  [
    'a module that contains itself',
    draw().module('m-1', 'm').data(),
    'module_recursion',
    'm-1',
    module(draw().module('m-2', 'm').data()),
  ],
  [
    'a module that contains this workflow',
    draw().module('m-1', 'm').data(),
    'module_recursion',
    'm-1',
    module(draw().script('a-1').data(), 'me'),
  ],
  ['a module without its input', draw().module('m-1', 'm').data(), 'missing_input', 'm-1', splitting],
  [
    'a module with an input that it lacks',
    draw()
      .module('m-1', 'm', { x: { ...TEXT, value: 'v' } })
      .data(),
    'unknown_input',
    'm-1',
    module(draw().script('a-1').data()),
  ],
  [
    'a batch without splits',
    draw()
      .script('a-1')
      .script('b-1', {}, { distribution: { input: 'file', mode: 'batch' } })
      .wire('a-1.file', 'b-1.file')
      .data(),
    'bad_distribution',
    'b-1',
  ],
  [
    'a distribution over no input',
    draw()
      .script('a-1', {}, { distribution: { input: 'fil', mode: 'line' } })
      .data(),
    'bad_distribution',
    'a-1',
  ],
  [
    'a distributed splitter',
    draw()
      .script('a-1')
      .splitter('s-1', { distribution: { input: 'multiple', mode: 'line' } })
      .wire('a-1.file', 's-1.multiple')
      .data(),
    'bad_distribution',
    's-1',
  ],
  [
    'batches for text',
    draw()
      .script('a-1')
      .tool('b-1', { t: TEXT }, { distribution: { input: 't', mode: 'batch', splits: 2 } })
      .wire('a-1.file', 'b-1.t')
      .data(),
    'bad_distribution',
    'b-1',
  ],
  [
    'a distribution over a value',
    draw()
      .tool('a-1', { t: { ...TEXT, value: 'a\nb' } }, { distribution: { input: 't', mode: 'line' } })
      .data(),
    'distribution_without_connection',
    'a-1',
  ],
  [
    'a distribution of a distribution',
    draw()
      .script('a-1')
      .script('b-1', {}, LINES)
      .script('c-1', {}, BATCHES)
      .wire('a-1.file', 'b-1.file')
      .wire('b-1.file', 'c-1.file')
      .data(),
    'distribution_twice',
    'c-1',
  ],
  [
    'two distributions that meet',
    draw()
      .script('a-1')
      .script('b-1', {}, LINES)
      .script('c-1', {}, BATCHES)
      .script('d-1')
      .wire('a-1.file', 'b-1.file')
      .wire('a-1.file', 'c-1.file')
      .wire('b-1.file', 'd-1.file')
      .wire('c-1.file', 'd-1.file')
      .data(),
    'distribution_twice',
    'd-1',
  ],
  [
    'a splitting module inside of a distribution',
    draw()
      .script('a-1')
      .splitter('s-1')
      .module('m-1', 'm')
      .wire('a-1.file', 's-1.multiple')
      .wire('s-1.output', 'm-1.feed')
      .data(),
    'distribution_twice',
    'm-1/cut-1',
    splitting,
  ],
];

describe('validation reports an error for', () => {
  it.each(BAD.map(([title, data, code, node, modules = {}]) => ({ title, data, code, node, modules })))(
    '$title',
    ({ data, code, node, modules }) => {
      const { errors } = validateWorkflow(data, { modules, workflow: 'me' });
      const found = errors.find((problem) => problem.code === code && (node === undefined || problem.node === node));
      expect(found ?? errors).toMatchObject({ code, message: expect.any(String) });
      if (code !== 'module_recursion') expect(() => compilePlan(data, modules)).toThrow(InvalidWorkflowError);
    },
  );
});
