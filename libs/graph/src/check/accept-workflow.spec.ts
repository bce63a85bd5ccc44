import { describe, expect, it } from '@jest/globals';
import { draw, drawChain, label } from '../testing/draw-workflow.js';
import { validateWorkflow } from './validate-workflow.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const FILE = { type: 'FILE', order: 0, command: '-f' } as const;
const FOLDER = { type: 'FOLDER', order: 0 } as const;
const LINES = { distribution: { input: 'file', mode: 'line' } } as const;
const BATCHES = { distribution: { input: 'file', mode: 'batch', splits: 2 } } as const;

describe('validation', () => {
  it.each([
    ['nothing in it', {}],
    [
      'unknown keys everywhere',
      {
        ...draw()
          .script('a-1', {}, { colour: 'red', outputs: { file: { type: 'FILE', shape: 1 } } })
          .data(),
        extra: [1],
      },
    ],
    [
      'nodes named like methods of objects',
      draw().script('constructor').script('toString').wire('constructor.file', 'toString.file').data(),
    ],
    [
      'flags of a tool that are hidden and stay empty',
      draw()
        .tool('a-1', { t: { ...TEXT, visible: false }, b: { type: 'BOOLEAN', order: 1, command: '-b' } })
        .data(),
    ],
    [
      'unconnected inputs `file` and `folder` of a script',
      draw()
        .script('a-1', { file: { ...FILE, multi: true }, folder: { ...FOLDER, multi: true } })
        .data(),
    ],
    [
      'an input that requires a value from the run',
      draw().primitive('s-1', 'STRING', null, 'domain').tool('a-1', { t: TEXT }).wire('s-1', 'a-1.t').data(),
    ],
    [
      'inputs in the form of other editors',
      draw()
        .script('a-1')
        .script('b-1', { file: { ...FILE, multi: true }, 'file/a-1': { type: 'FILE', value: 'in/a-1/output.txt' } })
        .wire('a-1.file', 'b-1.file')
        .data(),
    ],
    [
      'null in place of absent keys',
      draw()
        .script(
          'a-1',
          { file: { ...FILE, multi: true, value: null, command: null } },
          { container: null, distribution: null, retries: null },
        )
        .data(),
    ],
    [
      'lines of a file as text',
      draw()
        .script('a-1')
        .tool('b-1', { t: TEXT }, { distribution: { input: 't', mode: 'line' } })
        .wire('a-1.file', 'b-1.t')
        .data(),
    ],
    [
      'a gathered distribution that is distributed again',
      draw()
        .script('a-1')
        .script('b-1', {}, LINES)
        .script('c-1', {}, BATCHES)
        .wire('a-1.file', 'b-1.file')
        .wire('b-1.folder', 'c-1.file')
        .data(),
    ],
  ])('accepts a workflow with %s', (_, data) => {
    expect(validateWorkflow(data, {}).errors).toEqual([]);
  });

  it.each([
    ['an unused input', draw().primitive('s-1', 'STRING', 'x').script('a-1').data(), 'unused_primitive'],
    ['a node without connections', drawChain(2).script('b-1').data(), 'unconnected_node'],
    [
      'an unused splitter',
      draw().script('a-1').splitter('s-1').wire('a-1.file', 's-1.multiple').data(),
      'unused_splitter',
    ],
    ['a connection entry without a connection', draw().script('a-1', { 'file/b-1': FILE }).data(), 'unused_input'],
    [
      'a BOOLEAN input without a flag',
      draw()
        .tool('a-1', { b: { type: 'BOOLEAN', order: 0 } })
        .data(),
      'flagless_boolean',
    ],
    [
      'two outputs with the same name',
      draw().script('a-1', {}, label('x')).script('b-1', {}, label('x')).data(),
      'duplicate_label',
    ],
    ['a node whose `name` differs from its key', draw().script('a-1', {}, { name: 'b-1' }).data(), 'name_mismatch'],
    ['no nodes', {}, 'empty_workflow'],
  ])('accepts a workflow and warns of %s', (_, data, code) => {
    const { errors, warnings } = validateWorkflow(data, {});
    expect(errors).toEqual([]);
    expect(warnings.map((problem) => problem.code)).toContain(code);
  });
});
