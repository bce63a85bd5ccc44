import { describe, expect, it } from '@jest/globals';
import { type NodeInput, type WorkflowNode } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw } from '../testing/draw-workflow.js';
import { buildCommandLine, inputKey, type InputValues } from './build-command-line.js';

const text = (order: number, command?: string): NodeInput => ({
  type: 'STRING',
  order,
  ...(command === undefined ? {} : { command }),
});
const flag = (order: number, command: string): NodeInput => ({ type: 'BOOLEAN', order, command });
const file = (order: number, command?: string): NodeInput => ({ ...text(order, command), type: 'FILE' });

/** The command line of one node whose inputs are all bound to inputs of the workflow of the same names. */
function commandLine(
  type: 'tool' | 'script',
  inputs: Record<string, NodeInput>,
  values: Record<string, string | boolean>,
  more: Partial<WorkflowNode>,
) {
  const drawing = draw()[type]('node-1', inputs, more);
  for (const [name, { type: kind }] of Object.entries(inputs))
    drawing.primitive(`p-${name}`, kind, null).wire(`p-${name}`, `node-1.${name}`);
  const [step] = compilePlan(drawing.data(), {}).steps;
  if (step === undefined) throw new Error('no step');
  const inputValues: InputValues = Object.fromEntries(
    step.inputs.flatMap((input) =>
      Object.hasOwn(values, input.param) ? [[inputKey(input), values[input.param] ?? '']] : [],
    ),
  );
  return buildCommandLine(step, inputValues);
}

describe('the command line of a tool', () => {
  it.each<
    [
      string,
      Record<string, NodeInput>,
      Record<string, string | boolean>,
      Partial<WorkflowNode>,
      string[],
      string | null,
    ]
  >([
    [
      'is its command and its own arguments',
      {},
      {},
      { container: { command: ['nmap', '-n'], args: ['-v'] } },
      ['nmap', '-n', '-v'],
      null,
    ],
    [
      'has inputs in order',
      { a: text(2, '-a'), b: text(1, '-b') },
      { a: '1', b: '2' },
      {},
      ['tool', '-b', '2', '-a', '1'],
      null,
    ],
    [
      'breaks ties by name',
      { b: text(0, '-b'), a: text(0, '-a') },
      { a: '1', b: '2' },
      {},
      ['tool', '-a', '1', '-b', '2'],
      null,
    ],
    ['has the flag alone if it is true', { v: flag(0, '-v') }, { v: true }, {}, ['tool', '-v'], null],
    ['has no flag if it is false', { v: flag(0, '-v') }, { v: false }, {}, ['tool'], null],
    ['has a positional argument for an empty command', { a: text(0, '') }, { a: 'x' }, {}, ['tool', 'x'], null],
    [
      'has a positional argument if the input has no command',
      { a: file(0) },
      { a: 'in/p-a/x' },
      {},
      ['tool', 'in/p-a/x'],
      null,
    ],
    ['omits an input without a value', { a: text(0, '-a') }, {}, {}, ['tool'], null],
    [
      'keeps a value with any characters as one argument',
      { a: text(0, '-a') },
      { a: '$(id); "x y" \'z\' *' },
      {},
      ['tool', '-a', '$(id); "x y" \'z\' *'],
      null,
    ],
    ['keeps an empty text', { a: text(0, '-a') }, { a: '' }, {}, ['tool', '-a', ''], null],
    ['joins a flag that ends in an equals sign', { a: text(0, '--a=') }, { a: 'x' }, {}, ['tool', '--a=x'], null],
    [
      'ends in the output flag and file',
      { a: text(9, '') },
      { a: 'x' },
      { output_command: '-o' },
      ['tool', 'x', '-o', 'out/output.txt'],
      null,
    ],
    ['writes its standard output to the file', {}, {}, { output_command: '>' }, ['tool'], 'out/output.txt'],
    [
      'names the folder if that is its only output',
      {},
      {},
      { output_command: '-d', outputs: { folder: { type: 'FOLDER' } } },
      ['tool', '-d', 'out/'],
      null,
    ],
  ])('%s', (_, inputs, values, more, argv, stdout) => {
    expect(commandLine('tool', inputs, values, more)).toEqual({ argv, stdout });
  });
});

describe('the command line of a script', () => {
  it.each([
    ['bash', ['bash', 'script.sh']],
    ['python', ['python3', 'script.py']],
    ['node', ['node', 'script.js']],
    ['go', ['go', 'run', 'script.go']],
  ] as const)('runs %s', (script_type, argv) => {
    expect(commandLine('script', {}, {}, { script_type })).toEqual({ argv, stdout: null });
  });

  it('has its own arguments, its text and flags, and files only if they have a flag', () => {
    const inputs = { t: text(0), v: flag(1, '-v'), f: file(2), g: file(3, '-g') };
    const values = { t: 'x', v: true, f: 'in/p-f/f', g: 'in/p-g/g' };
    const { argv } = commandLine('script', inputs, values, { script: { source: 'x', args: ['one', 2] } });
    expect(argv).toEqual(['bash', 'script.sh', 'one', '2', 'x', '-v', '-g', 'in/p-g/g']);
  });
});

it('a command line has an argument for each source of an input', () => {
  const drawing = draw()
    .script('b-1')
    .script('a-1')
    .tool('t-1', { f: { ...file(0, '-f'), multi: true } })
    .wire('b-1.file', 't-1.f')
    .wire('a-1.file', 't-1.f');
  const step = compilePlan(drawing.data(), {}).steps.find((one) => one.node === 't-1');
  const values = { 'f/a-1': 'in/a-1/output.txt', 'f/b-1': 'in/b-1/output.txt' };
  expect(step && buildCommandLine(step, values).argv).toEqual([
    'tool',
    '-f',
    'in/a-1/output.txt',
    '-f',
    'in/b-1/output.txt',
  ]);
});

it('a split step has no command line', () => {
  expect(() => buildCommandLine({ program: { kind: 'split' }, inputs: [] }, {})).toThrow(TypeError);
});
