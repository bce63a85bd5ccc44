import { draw, drawChain } from '../testing/draw-workflow.js';
import {
  describeProblems,
  FILE,
  OTHER_SPACE,
  TEXT,
  type ProblemCase,
  UNPINNED,
  wraps,
} from '../testing/problem-cases.js';
import { ERROR_CODES } from './problem.js';

const when = (text: string) => ({ when: text });
const conditional = (text: string) => draw().script('a-1').script('b-1', {}, when(text));
const LINES = { distribution: { input: 'file', mode: 'line' } } as const;
const many = (count: number, node: string) => {
  const drawing = draw();
  for (let at = 0; at < count; at += 1) drawing.module(`${node}-${at}`, 'm');
  return drawing;
};

const ERRORS: ProblemCase[] = [
  {
    code: 'malformed',
    expected: { node: 'a-1', port: 't', path: 'nodes.a-1.inputs.t.type', hint: 'Did you mean "STRING"?' },
    data: { nodes: { 'a-1': { type: 'TOOL', inputs: { t: { type: 'string' } } } } },
  },
  {
    code: 'malformed',
    expected: { node: 'a-1', path: 'nodes.a-1.type', hint: 'Set it to one of TOOL, SCRIPT' },
    data: { nodes: { 'a-1': {} } },
  },
  {
    code: 'bad_text',
    expected: { node: 'a-1', path: 'nodes.a-1.script.source', hint: 'Remove it.' },
    data: draw()
      .script('a-1', {}, { script: { source: 'a\0' } })
      .data(),
  },
  { code: 'bad_name', expected: { node: 'a/b', hint: 'Use a name like' }, data: draw().script('a/b').data() },
  {
    code: 'bad_name',
    expected: { node: 'a-1', port: '../x', hint: 'Use a name like' },
    data: draw().tool('a-1', { '../x': TEXT }).data(),
  },
  {
    code: 'bad_name',
    expected: { node: 's/1', hint: 'Use a name like' },
    data: draw().primitive('s/1', 'STRING', 'x').data(),
  },
  { code: 'too_many_nodes', expected: { path: 'nodes', hint: 'WORKFLOW' }, data: drawChain(5_001).data() },
  {
    code: 'too_many_edges',
    expected: { path: 'connections', hint: 'WORKFLOW' },
    data: { connections: Array.from({ length: 20_001 }, () => ({})) },
  },
  {
    code: 'too_large',
    expected: { hint: 'fewer modules' },
    data: many(5, 'm').data(),
    context: { modules: wraps(drawChain(4_500)) },
  },
  {
    code: 'too_large',
    expected: { node: 'a-1', path: 'nodes.a-1.inputs', hint: 'in a file' },
    data: {
      nodes: {
        'a-1': { type: 'TOOL', inputs: Object.fromEntries(Array.from({ length: 25_001 }, (_, at) => [at, 0])) },
      },
    },
  },
  {
    code: 'duplicate_name',
    expected: { node: 'a-1', hint: 'another name' },
    data: draw().script('a-1').primitive('a-1', 'STRING', 'x').data(),
  },
  {
    code: 'bad_edge',
    expected: { hint: 'Swap `source` and `destination`' },
    data: draw().script('a-1').edge('input/a-1/file', 'output/a-1/file').data(),
  },
  { code: 'bad_edge', expected: { hint: 'output/<node>/<port>' }, data: draw().edge('a-1', 'b-1').data() },
  {
    code: 'bad_edge',
    expected: { node: 's-1', hint: 'Set the `value`' },
    data: draw().script('a-1').primitive('s-1', 'STRING', 'x').wire('a-1.file', 's-1.x').data(),
  },
  {
    code: 'bad_edge',
    expected: { node: 'b-1', port: 'file', hint: 'End it with "a-1"' },
    data: draw().script('a-1').script('b-1').edge('output/a-1/file', 'input/b-1/file/c-1').data(),
  },
  {
    code: 'unknown_node',
    expected: { node: 'srot-1', hint: 'Did you mean "sort-1"?' },
    data: draw().script('sort-1').script('b-1').wire('srot-1.file', 'b-1.file').data(),
  },
  {
    code: 'unknown_port',
    expected: { node: 'a-1', port: 'stdout', hint: 'Use one of "file", "folder"' },
    data: draw().script('a-1').script('b-1').wire('a-1.stdout', 'b-1.file').data(),
  },
  {
    code: 'unknown_param',
    expected: { node: 'b-1', port: 'lfet', hint: 'Did you mean "left"?' },
    data: draw().script('a-1').tool('b-1', { left: FILE }).wire('a-1.file', 'b-1.lfet').data(),
  },
  {
    code: 'duplicate_edge',
    expected: { node: 'step-2', port: 'file', hint: 'Remove one' },
    data: drawChain(2).edge('output/step-1/file', 'input/step-2/file').data(),
  },
  {
    code: 'type_mismatch',
    expected: { node: 'b-1', port: 't', hint: 'splitter' },
    data: draw().script('a-1').tool('b-1', { t: TEXT }).wire('a-1.file', 'b-1.t').data(),
  },
  {
    code: 'missing_input',
    expected: { node: 'a-1', port: 't', hint: 'connect it' },
    data: draw().tool('a-1', { t: TEXT }).data(),
  },
  {
    code: 'missing_input',
    expected: { node: 's-1', port: 'multiple', hint: 'Connect the output "file"' },
    data: draw().splitter('s-1').data(),
  },
  {
    code: 'unknown_input',
    expected: { node: 'm-1', port: 'fede', hint: 'Did you mean "feed"?' },
    data: draw()
      .module('m-1', 'm', { fede: { ...TEXT, value: 'v' } })
      .data(),
    context: { modules: wraps(draw().primitive('s-1', 'STRING', null, 'feed').script('a-1')) },
  },
  {
    code: 'bad_value',
    expected: { node: 'a-1', port: 'f', hint: 'millrace://file/' },
    data: draw()
      .tool('a-1', { f: { ...FILE, value: '/etc/passwd' } })
      .data(),
  },
  {
    code: 'bad_value',
    expected: { node: 'b-1', hint: 'true or false' },
    data: draw().primitive('b-1', 'BOOLEAN', 'maybe').data(),
  },
  {
    code: 'tool_without_command',
    expected: { node: 'a-1', hint: 'container.command' },
    data: draw().tool('a-1', {}, { container: {} }).data(),
  },
  {
    code: 'script_without_source',
    expected: { node: 'a-1', hint: 'script.source' },
    data: draw().script('a-1', {}, { script: {} }).data(),
  },
  {
    code: 'cycle',
    expected: { node: 'step-1', hint: 'Remove one', nodes: ['step-1', 'step-2', 'step-3', 'step-1'] },
    data: drawChain(3).wire('step-3.file', 'step-1.file').data(),
  },
  { code: 'unknown_module', expected: { node: 'm-1', hint: 'Set `workflow`' }, data: draw().module('m-1', 'x').data() },
  {
    code: 'invalid_module',
    expected: { node: 'm-1', hint: 'Connect the output "file"' },
    data: draw().module('m-1', 'm').data(),
    context: { modules: wraps(draw().splitter('s-1')) },
  },
  {
    code: 'module_recursion',
    expected: { node: 'm-1', hint: 'Wrap another workflow' },
    data: draw().module('m-1', 'm').data(),
    context: { modules: wraps(draw().script('a-1'), 'me'), workflow: 'me' },
  },
  {
    code: 'nesting_too_deep',
    expected: { node: 'm-1', hint: 'fewer modules' },
    data: draw().module('m-1', 'k0').data(),
    context: {
      modules: Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          `k${at}`,
          { workflow_id: `w${at}`, data: (at < 8 ? draw().module('m-1', `k${at + 1}`) : draw().script('a-1')).data() },
        ]),
      ),
    },
  },
  {
    code: 'bad_distribution',
    expected: { node: 'b-1', port: 'fiel', hint: 'Did you mean "file"?' },
    data: draw()
      .script('b-1', {}, { distribution: { input: 'fiel', mode: 'line' } })
      .data(),
  },
  {
    code: 'bad_distribution',
    expected: { node: 'b-1', port: 't', hint: 'an input of type FILE' },
    data: draw()
      .script('a-1')
      .tool('b-1', { t: TEXT }, { distribution: { input: 't', mode: 'batch', splits: 2 } })
      .wire('a-1.file', 'b-1.t')
      .data(),
  },
  {
    code: 'distribution_without_connection',
    expected: { node: 'a-1', port: 't', hint: 'put it into a file' },
    data: draw()
      .tool('a-1', { t: { ...TEXT, value: 'a' } }, { distribution: { input: 't', mode: 'line' } })
      .data(),
  },
  {
    code: 'distribution_twice',
    expected: { node: 'step-3', port: 'file', hint: 'Gather the items first', message: '"step-2"' },
    data: draw()
      .script('step-1')
      .script('step-2', {}, LINES)
      .script('step-3', {}, LINES)
      .wire('step-1.file', 'step-2.file')
      .wire('step-2.file', 'step-3.file')
      .data(),
  },
  {
    code: 'unknown_node',
    expected: { node: 'sort-2', hint: 'Did you mean "sort-1"?' },
    data: draw().script('sort-1').script('b-1').order('sort-2', 'b-1').data(),
  },
  {
    code: 'unknown_port',
    expected: { node: 'a-1', message: 'names no output of it', hint: 'of both ends' },
    data: draw().script('a-1').script('b-1').edge('output/a-1', 'input/b-1/file').data(),
  },
  {
    code: 'unknown_param',
    expected: { node: 'b-1', message: 'names no input of it', hint: 'of both ends' },
    data: draw().script('a-1').script('b-1').edge('output/a-1/file', 'input/b-1').data(),
  },
  {
    code: 'bad_edge',
    expected: { node: 's-1', hint: 'connect the source to a node' },
    data: draw().script('a-1').primitive('s-1', 'STRING', 'x').order('a-1', 's-1').data(),
  },
  {
    code: 'duplicate_edge',
    expected: { node: 'b-1', message: 'without data', hint: 'Remove one' },
    data: draw().script('a-1').script('b-1').order('a-1', 'b-1').order('a-1', 'b-1').data(),
  },
  {
    code: 'cycle',
    expected: { node: 'step-1', nodes: ['step-1', 'step-2', 'step-1'] },
    data: drawChain(2).order('step-2', 'step-1').data(),
  },
  {
    code: 'cycle',
    expected: { message: 'Connections and conditions form a cycle', nodes: ['a-1', 'b-1', 'a-1'] },
    data: draw().script('a-1', {}, when('nodes.b-1.size > 0')).script('b-1').order('a-1', 'b-1').data(),
  },
  ...([-1, 1.5, '10', '101%', '-1%', '5 %', 'x'] as const).map((fail_threshold): ProblemCase => ({
    code: 'bad_fail_threshold',
    expected: { node: 'a-1', path: 'nodes.a-1.fail_threshold', message: `"${fail_threshold}"`, hint: '"10%"' },
    data: draw().script('a-1', {}, { on_error: 'continue', fail_threshold }).data(),
  })),
  {
    code: 'bad_placement',
    expected: { node: 'a-1', path: 'nodes.a-1.fleet', hint: 'lower-case letters' },
    data: draw().script('a-1', {}, { fleet: 'GPU machines' }).data(),
  },
  {
    code: 'bad_placement',
    expected: { node: 'a-1', path: 'nodes.a-1.labels', message: 'the value ""', hint: 'at both ends' },
    data: draw()
      .script('a-1', {}, { labels: { gpu: '' } })
      .data(),
  },
  ...([undefined, 'fail'] as const).map((on_error): ProblemCase => ({
    code: 'bad_fail_threshold',
    expected: { node: 'a-1', path: 'nodes.a-1.fail_threshold', hint: 'Set `on_error`' },
    data: draw().script('a-1', {}, { on_error, fail_threshold: 5 }).data(),
  })),
  {
    code: 'malformed',
    expected: { node: 'a-1', path: 'nodes.a-1.on_error', hint: 'Did you mean "continue"?' },
    data: { nodes: { 'a-1': { type: 'SCRIPT', script: { source: 'x' }, on_error: 'contine' } } },
  },
  {
    code: 'malformed',
    expected: { node: 'a-1', path: 'nodes.a-1.approval.role', message: '"execute", "write", "owner"' },
    data: { nodes: { 'a-1': { type: 'APPROVAL', approval: { role: 'admin' } } } },
  },
  {
    code: 'malformed',
    expected: { node: 'a-1', path: 'nodes.a-1.approval.message', message: 'at most 2000 characters' },
    data: draw()
      .approval('a-1', { approval: { message: 'x'.repeat(2_001) } })
      .data(),
  },
  {
    code: 'bad_approval',
    expected: { node: 'a-1', path: 'nodes.a-1.approval', hint: 'type APPROVAL' },
    data: draw()
      .script('a-1', {}, { approval: { message: 'x' } })
      .data(),
  },
  {
    code: 'bad_condition',
    expected: {
      node: 'b-1',
      path: 'nodes.b-1.when',
      position: 17,
      expected: ['a value'],
      hint: 'nodes.scan-1.size > 0',
    },
    data: conditional('nodes.a-1.lines >').data(),
  },
  {
    code: 'unknown_reference',
    expected: { node: 'b-1', path: 'nodes.b-1.when', position: 0, hint: 'Did you mean "a-1"?' },
    data: conditional('nodes.a-2.lines > 0').data(),
  },
  { code: 'unpinned_module', ...UNPINNED, context: { modules: OTHER_SPACE, pinning: { space: 's1', required: true } } },
  {
    code: 'more_problems',
    expected: { message: '100 more problems are not listed.' },
    data: many(300, 'm').data(),
  },
];

describeProblems('errors', ERROR_CODES, ERRORS);
