import { describe, expect, it } from '@jest/globals';
import { draw, drawChain, label } from '../testing/draw-workflow.js';
import { validateWorkflow } from './validate-workflow.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const FILE = { type: 'FILE', order: 0, command: '-f' } as const;
const FOLDER = { type: 'FOLDER', order: 0 } as const;
const LINES = { distribution: { input: 'file', mode: 'line' } } as const;
const BATCHES = { distribution: { input: 'file', mode: 'batch', splits: 2 } } as const;

describe('a workflow is accepted with', () => {
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
      'generic inputs of a script that nothing is connected to',
      draw()
        .script('a-1', { file: { ...FILE, multi: true }, folder: { ...FOLDER, multi: true } })
        .data(),
    ],
    [
      'an input whose value a run must give',
      draw().primitive('s-1', 'STRING', null, 'domain').tool('a-1', { t: TEXT }).wire('s-1', 'a-1.t').data(),
    ],
    [
      'inputs written as other editors write them',
      draw()
        .script('a-1')
        .script('b-1', { file: { ...FILE, multi: true }, 'file/a-1': { type: 'FILE', value: 'in/a-1/output.txt' } })
        .wire('a-1.file', 'b-1.file')
        .data(),
    ],
    [
      'null where a key is left out',
      draw()
        .script(
          'a-1',
          { file: { ...FILE, multi: true, value: null, command: null } },
          { container: null, distribution: null, retries: null },
        )
        .data(),
    ],
    [
      'lines of a file for text',
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
  ])('%s', (_, data) => {
    expect(validateWorkflow(data, {}).errors).toEqual([]);
  });

  it.each([
    ['an input that nothing uses', draw().primitive('s-1', 'STRING', 'x').script('a-1').data(), 'unused_primitive'],
    ['a node apart from the rest', drawChain(2).script('b-1').data(), 'unconnected_node'],
    [
      'a splitter that nothing uses',
      draw().script('a-1').splitter('s-1').wire('a-1.file', 's-1.multiple').data(),
      'unused_splitter',
    ],
    ['a connection entry without a connection', draw().script('a-1', { 'file/b-1': FILE }).data(), 'unused_input'],
    [
      'true or false without a flag',
      draw()
        .tool('a-1', { b: { type: 'BOOLEAN', order: 0 } })
        .data(),
      'flagless_boolean',
    ],
    [
      'two outputs of one name',
      draw().script('a-1', {}, label('x')).script('b-1', {}, label('x')).data(),
      'duplicate_label',
    ],
    ['a node that calls itself something else', draw().script('a-1', {}, { name: 'b-1' }).data(), 'name_mismatch'],
    ['no nodes', {}, 'empty_workflow'],
  ])('a warning for %s', (_, data, code) => {
    const { errors, warnings } = validateWorkflow(data, {});
    expect(errors).toEqual([]);
    expect(warnings.map((problem) => problem.code)).toContain(code);
  });
});
