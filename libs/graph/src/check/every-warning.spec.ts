import { draw, drawChain, label, type Drawing } from '../testing/draw-workflow.js';
import {
  describeProblems,
  FILE,
  OTHER_SPACE,
  TEXT,
  type ProblemCase,
  UNPINNED,
  wraps,
} from '../testing/problem-cases.js';
import { WARNING_CODES } from './problem.js';

const VARIABLES = { variables: new Set(['API_TOKEN', 'RUN_ID']) };
const text = (value: string) => draw().tool('a-1', { t: { ...TEXT, value } });

const WARNINGS: ProblemCase[] = [
  {
    code: 'name_mismatch',
    expected: { node: 'a-1', hint: 'Set `name` to "a-1"' },
    data: draw().script('a-1', {}, { name: 'b-1' }).data(),
  },
  {
    code: 'unknown_input',
    expected: { node: 'm-1', port: 'x', hint: 'Remove it.' },
    data: draw().module('m-1', 'm', { x: TEXT }).data(),
    context: { modules: wraps(draw().script('a-1')) },
  },
  {
    code: 'unused_primitive',
    expected: { node: 's-1', hint: 'Connect it' },
    data: draw().primitive('s-1', 'STRING', 'x').script('a-1').data(),
  },
  {
    code: 'unconnected_node',
    expected: { node: 'b-1', hint: 'Connect one of its inputs or outputs' },
    data: drawChain(2).script('b-1').data(),
  },
  {
    code: 'unreachable_node',
    expected: { node: 'c-1', message: '"s-1"', hint: '"s-1"' },
    data: draw()
      .splitter('s-1')
      .script('b-1')
      .script('c-1')
      .wire('s-1.output', 'b-1.file')
      .wire('b-1.file', 'c-1.file')
      .data(),
  },
  {
    code: 'unused_splitter',
    expected: { node: 's-1', port: 'output', hint: 'Connect its output' },
    data: draw().script('a-1').splitter('s-1').wire('a-1.file', 's-1.multiple').data(),
  },
  {
    code: 'unused_input',
    expected: { node: 'a-1', port: 'file/b-1', hint: 'connect "b-1" to the input again' },
    data: draw().script('a-1', { 'file/b-1': FILE }).data(),
  },
  {
    code: 'flagless_boolean',
    expected: { node: 'a-1', port: 'b', hint: 'Set its `command`' },
    data: draw()
      .tool('a-1', { b: { type: 'BOOLEAN', order: 0 } })
      .data(),
  },
  {
    code: 'duplicate_label',
    expected: { node: 'b-1', hint: 'a label of its own' },
    data: draw().script('a-1', {}, label('x')).script('b-1', {}, label('x')).data(),
  },
  { code: 'empty_workflow', expected: { hint: 'Add a tool' }, data: {} },
  {
    code: 'unknown_field',
    expected: { node: 'a-1', path: 'nodes.a-1.retry', hint: 'Did you mean "retries"?' },
    data: { nodes: { 'a-1': { type: 'SCRIPT', script: { source: 'x' }, retry: 3 } } },
  },
  {
    code: 'unknown_variable',
    expected: { node: 'a-1', port: 't', hint: 'Did you mean "API_TOKEN"?' },
    data: text('x ${{vars.API_TOKNE}}').data(),
    context: VARIABLES,
  },
  {
    code: 'unknown_variable',
    expected: { node: 's-1', hint: 'Did you mean "RUN_ID"?' },
    data: draw().primitive('s-1', 'STRING', '${{ vars.RUNID }}').tool('a-1', { t: TEXT }).wire('s-1', 'a-1.t').data(),
    context: VARIABLES,
  },
  {
    code: 'unknown_variable',
    expected: { node: 'm-1/a-1', message: '"TOKEN"', hint: 'secret variables' },
    data: draw().module('m-1', 'm').data(),
    context: {
      variables: new Set(['PASSPHRASE']),
      modules: wraps(draw().script('a-1', {}, { script: { source: 'x', environment: { T: '${{vars.TOKEN}}' } } })),
    },
  },
  ...[
    '${{var.TOKEN}}',
    '${{ secrets.TOKEN }}',
    '${{TOKEN}}',
    '${vars.TOKEN}',
    '{{vars.TOKEN}}',
    '${{vars.TOKEN.}}',
  ].map((written): ProblemCase => ({
    code: 'bad_placeholder',
    expected: { node: 'a-1', port: 't', hint: '${{vars.TOKEN}}' },
    data: text(`Bearer ${written}`).data(),
  })),
  {
    code: 'bad_placeholder',
    expected: { node: 'a-1', port: 't', hint: '${{vars.NAME}}' },
    data: text('${{ }}').data(),
  },
  {
    code: 'misplaced_variable',
    expected: { node: 'a-1', hint: '`environment`' },
    data: draw()
      .script('a-1', {}, { script: { source: 'echo ${{vars.API_TOKEN}}' } })
      .data(),
    context: VARIABLES,
  },
  {
    code: 'misplaced_variable',
    expected: { node: 'a-1', message: 'The condition of node "a-1"' },
    data: draw()
      .primitive('s-1', 'STRING', 'x')
      .script('a-1', {}, { when: 'inputs.s-1 = "${{vars.API_TOKEN}}"' })
      .data(),
    context: VARIABLES,
  },
  {
    code: 'unknown_library_module',
    expected: { node: 'sort-1', path: 'nodes.sort-1.id', hint: 'module "sort" with the id "id-1"' },
    data: draw().tool('sort-1', {}, { id: 'id-2' }).data(),
    context: { libraryModules: new Map([['id-1', 'sort']]) },
  },
  {
    code: 'unpinned_module',
    ...UNPINNED,
    context: { modules: OTHER_SPACE, pinning: { space: 's1', required: false } },
  },
  {
    code: 'image_without_tag',
    expected: { node: 'a-1', path: 'nodes.a-1.container.image', hint: '"registry.example.org:5000/curl:1.0"' },
    data: draw()
      .tool('a-1', {}, { container: { image: 'registry.example.org:5000/curl', command: 'curl' } })
      .data(),
  },
  ...(['retries', 'timeout_seconds', 'inputs.file2'] as const).map((field): ProblemCase => ({
    code: 'unused_field',
    expected: { node: 'a-1', path: `nodes.a-1.${field}`, hint: 'Remove it' },
    data: draw()
      .approval('a-1', {
        inputs: { file2: { ...FILE, value: 'https://example.org/a' } },
        retries: 1,
        timeout_seconds: 1,
      })
      .data(),
  })),
  {
    code: 'unused_field',
    expected: { node: 'a-1', path: 'nodes.a-1.approval.on_expiry', hint: '`expires_after_seconds`' },
    data: draw()
      .approval('a-1', { approval: { on_expiry: 'approve' } })
      .data(),
  },
  ...[
    ['inputs.s-1 = inputs.s-1', 13],
    ['nodes.a-1.exit_code = 0 AND inputs.s-1 IN (x, nodes.a-1.first_line)', 46],
  ].map(([when = '', position]): ProblemCase => ({
    code: 'reference_as_text',
    expected: {
      node: 'b-1',
      path: 'nodes.b-1.when',
      position: Number(position),
      hint: 'in quotes if you mean the text',
    },
    data: draw()
      .primitive('s-1', 'STRING', 'x')
      .script('a-1')
      .script('b-1', {}, { when: String(when) })
      .data(),
  })),
  {
    code: 'more_problems',
    expected: { message: '101 more problems are not listed.' },
    data: Array.from({ length: 300 })
      .reduce<Drawing>((one, _, at) => one.script(`a-${at}`), draw())
      .data(),
  },
];

describeProblems('warnings', WARNING_CODES, WARNINGS);
