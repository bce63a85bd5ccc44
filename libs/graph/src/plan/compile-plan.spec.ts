import { describe, expect, it } from '@jest/globals';
import { type Modules } from '../data/workflow-data.js';
import { draw, drawChain, type Drawing } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';
import { type Plan, type Step } from './plan.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const FILE = { type: 'FILE', order: 0 } as const;

const compile = (drawing: Drawing, modules: Modules = {}): Plan => compilePlan(drawing.data(), modules);
const step = (plan: Plan, node: string, type?: Step['type']): Step => {
  const found = plan.steps.find(
    (one) => one.node === node && (type === undefined ? one.type !== 'SPLIT' : one.type === type),
  );
  if (found === undefined) throw new Error(`no step ${node}`);
  return found;
};
const chains = (plan: Plan): string[][] =>
  plan.segments.map((segment) => segment.steps.map((index) => plan.steps[index]?.node ?? ''));

it('the image of a script is in its program, and absent if there is none', () => {
  const withImage = (image?: string) => ({ script: { source: 'true', ...(image !== undefined && { image }) } });
  const drawing = draw()
    .script('a-1', {}, withImage(' bash:5 '))
    .script('b-1', {}, withImage())
    .script('c-1', {}, withImage(''));
  const images = ['a-1', 'b-1', 'c-1'].map((node) => step(compile(drawing), node).program);
  expect(images.map((program) => ('image' in program ? program.image : 'absent'))).toEqual([
    'bash:5',
    'absent',
    'absent',
  ]);
});

describe('chain fusion', () => {
  it('converts a chain into one segment', () => {
    expect(compile(drawChain(10)).segments).toEqual([
      { index: 0, steps: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], scope: null, needs: [] },
    ]);
  });

  it('stops after a step with two consumers, and before a step with two dependencies', () => {
    const diamond = draw().script('a-1').script('b-1').script('c-1').script('d-1').script('e-1');
    diamond
      .wire('a-1.file', 'b-1.file')
      .wire('a-1.file', 'c-1.file')
      .wire('b-1.file', 'd-1.file')
      .wire('c-1.file', 'd-1.file')
      .wire('d-1.file', 'e-1.file');
    const plan = compile(diamond);
    expect(chains(plan)).toEqual([['a-1'], ['b-1'], ['c-1'], ['d-1', 'e-1']]);
    expect(plan.segments[3]?.needs).toEqual([
      { segment: 1, how: 'all' },
      { segment: 2, how: 'all' },
    ]);
    expect(plan.widest).toBe(2);
  });

  it('treats two connections between the same steps as one', () => {
    expect(chains(compile(drawChain(2).wire('step-1.folder', 'step-2.folder')))).toEqual([['step-1', 'step-2']]);
  });

  it('continues inside of a scope and stops at its split and its gather', () => {
    const plan = compile(
      draw()
        .script('a-1')
        .splitter('s-1')
        .script('b-1')
        .script('c-1')
        .script('d-1')
        .wire('a-1.file', 's-1.multiple')
        .wire('s-1.output', 'b-1.file')
        .wire('b-1.file', 'c-1.file')
        .wire('c-1.folder', 'd-1.folder'),
    );
    expect(chains(plan)).toEqual([['a-1'], ['s-1'], ['b-1', 'c-1'], ['d-1']]);
    expect(plan.segments.map(({ scope, needs }) => ({ scope, needs }))).toEqual([
      { scope: null, needs: [] },
      { scope: null, needs: [{ segment: 0, how: 'all' }] },
      { scope: 0, needs: [{ segment: 1, how: 'all' }] },
      { scope: null, needs: [{ segment: 2, how: 'all' }] },
    ]);
    expect(plan.widest).toBeNull();
  });
});

describe('a distribution', () => {
  const TYPES = { line: 'STRING', batch: 'FILE', file: 'FILE' } as const;

  it.each(['line', 'batch', 'file'] as const)(
    'by %s is carried on child by child over a file, and gathered over a folder',
    (mode) => {
      const port = mode === 'file' ? 'folder' : 'file';
      const plan = compile(
        draw()
          .script('list-1')
          .tool(
            'scan-1',
            { target: { type: TYPES[mode], order: 0 } },
            { distribution: { input: 'target', mode, ...(mode === 'batch' ? { splits: 4 } : {}) } },
          )
          .script('parse-1')
          .script('join-1')
          .wire(`list-1.${port}`, 'scan-1.target')
          .wire('scan-1.file', 'parse-1.file')
          .wire('parse-1.folder', 'join-1.folder')
          .wire('scan-1.folder', 'join-1.folder'),
      );
      const split = step(plan, 'scan-1', 'SPLIT');
      expect(plan.scopes).toEqual([{ index: 0, mode, splits: mode === 'batch' ? 4 : null, split: split.index }]);
      expect(split).toMatchObject({
        scope: null,
        program: { kind: 'split' },
        inputs: [{ param: 'target', source: 'list-1', type: port.toUpperCase() }],
      });
      expect(step(plan, 'scan-1')).toMatchObject({
        scope: 0,
        inputs: [{ source: 'list-1', type: TYPES[mode], binding: { from: 'item', scope: 0 } }],
      });
      const scan = step(plan, 'scan-1').index;
      expect(step(plan, 'parse-1')).toMatchObject({
        scope: 0,
        inputs: [{ binding: { from: 'step', step: scan, port: 'file', gather: false } }],
      });
      expect(step(plan, 'join-1')).toMatchObject({
        scope: null,
        inputs: [
          { binding: { step: step(plan, 'parse-1').index, port: 'folder', gather: true } },
          { binding: { step: scan, gather: true } },
        ],
      });
    },
  );

  it('passes the files of a folder as files, even to an input of type FOLDER', () => {
    const plan = compile(
      draw()
        .script('a-1')
        .script('b-1', {}, { distribution: { input: 'folder', mode: 'file' } })
        .wire('a-1.folder', 'b-1.folder'),
    );
    expect(step(plan, 'b-1').inputs).toMatchObject([{ param: 'folder', type: 'FILE', binding: { from: 'item' } }]);
  });

  it('concatenates several sources and passes one item', () => {
    const plan = compile(
      draw()
        .script('b-1')
        .script('a-1')
        .script('c-1', {}, { distribution: { input: 'file', mode: 'line' } })
        .wire('b-1.file', 'c-1.file')
        .wire('a-1.file', 'c-1.file'),
    );
    expect(step(plan, 'c-1', 'SPLIT').inputs.map((input) => input.source)).toEqual(['a-1', 'b-1']);
    expect(step(plan, 'c-1').inputs).toMatchObject([{ param: 'file', source: 'file', binding: { from: 'item' } }]);
  });

  it('passes the other inputs unchanged to each child', () => {
    const plan = compile(
      draw()
        .script('list-1')
        .script('rules-1')
        .tool(
          'scan-1',
          { target: TEXT, rules: { ...FILE, command: '-r' } },
          { distribution: { input: 'target', mode: 'line' } },
        )
        .wire('list-1.file', 'scan-1.target')
        .wire('rules-1.file', 'scan-1.rules'),
    );
    const scan = step(plan, 'scan-1');
    expect(scan.inputs[0]).toMatchObject({ param: 'rules', binding: { from: 'step', gather: false } });
    expect(plan.segments[scan.segment]?.needs).toEqual([
      { segment: step(plan, 'rules-1').segment, how: 'all' },
      { segment: step(plan, 'scan-1', 'SPLIT').segment, how: 'all' },
    ]);
  });
});

describe('a splitter', () => {
  it('shares one scope among its consumers, as text or as a file, and splits its sources in order', () => {
    const plan = compile(
      draw()
        .script('a-1')
        .script('z-1')
        .splitter('s-1', {
          inputs: { 'multiple/a-1': { type: 'FILE', order: 2 }, 'multiple/z-1': { type: 'FILE', order: 1 } },
        })
        .tool('t-1', { t: TEXT })
        .script('f-1')
        .script('both-1')
        .wire('a-1.file', 's-1.multiple')
        .wire('z-1.file', 's-1.multiple')
        .wire('s-1.output', 't-1.t')
        .wire('s-1.output', 'f-1.file')
        .wire('t-1.file', 'both-1.file')
        .wire('f-1.file', 'both-1.file'),
    );
    expect(step(plan, 's-1')).toMatchObject({
      type: 'SPLITTER',
      scope: null,
      inputs: [{ source: 'z-1' }, { source: 'a-1' }],
    });
    expect(step(plan, 't-1').inputs).toMatchObject([
      { type: 'STRING', source: 's-1', binding: { from: 'item', scope: 0 } },
    ]);
    expect(step(plan, 'f-1').inputs).toMatchObject([
      { type: 'FILE', source: 's-1', binding: { from: 'item', scope: 0 } },
    ]);
    const both = step(plan, 'both-1');
    expect(plan.segments[both.segment]?.needs).toContainEqual({ segment: step(plan, 't-1').segment, how: 'each' });
    expect(both.scope).toBe(0);
  });
});

describe('the record of a node', () => {
  it('becomes values, ordered flags and the program of the step', () => {
    const plan = compile(
      draw().tool(
        'scan-1',
        {
          b: { ...TEXT, order: 1, value: 7 },
          a: { ...TEXT, order: 1, value: 'x' },
          z: { type: 'BOOLEAN', order: 0, value: 'true', command: '-z' },
          off: { ...TEXT, visible: false },
        },
        {
          container: { image: 'i', command: 'tool  sub', args: ['-q', 1] },
          output_command: '-o',
          bee_type: 'large',
          retries: 2,
          timeout_seconds: 9,
          cache: true,
          network: true,
          meta: { label: 'Scan' },
        },
      ),
    );
    expect(plan.steps[0]).toMatchObject({
      label: 'Scan',
      size: 'large',
      retries: 2,
      timeoutSeconds: 9,
      cache: true,
      network: true,
      scope: null,
      program: {
        kind: 'command',
        image: 'i',
        command: ['tool', 'sub'],
        args: ['-q', '1'],
        outputCommand: '-o',
        outputParameter: null,
      },
      inputs: [
        { param: 'z', source: null, type: 'BOOLEAN', binding: { from: 'value', value: true } },
        { param: 'a', binding: { from: 'value', value: 'x' } },
        { param: 'b', binding: { from: 'value', value: '7' } },
      ],
    });
    expect(plan.outputs).toEqual([{ label: 'Scan', step: 0 }]);
  });

  it('may name a file, which becomes an input of the plan', () => {
    const plan = compile(draw().tool('a-1', { words: { ...FILE, value: 'https://example.org/w' } }));
    expect(plan.primitives).toEqual({ 'a-1/words': { type: 'FILE', label: '', value: 'https://example.org/w' } });
    expect(plan.steps[0]?.inputs).toMatchObject([
      { param: 'words', source: 'words', binding: { from: 'primitive', primitive: 'a-1/words' } },
    ]);
  });

  it('may name the flag of the output, whose input then needs no value', () => {
    const outputs = { folder: { type: 'FOLDER', order: 0, parameter_name: 'dir' } };
    const plan = compile(draw().tool('a-1', { dir: { ...TEXT, command: '--dir' } }, { outputs }));
    expect(plan.steps[0]).toMatchObject({ inputs: [], program: { outputCommand: '--dir', outputParameter: '' } });
  });

  it('passes a script its files below in/ only, its text as arguments, and its environment sorted', () => {
    const script = { source: 'x', environment: { B: '2', A: '1' } };
    const plan = compile(
      draw()
        .primitive('s-1', 'STRING', 'v')
        .script('a-1')
        .script('b-1', { t: { type: 'STRING', order: 0 } }, { script })
        .wire('a-1.file', 'b-1.file')
        .wire('s-1', 'b-1.t'),
    );
    expect(step(plan, 'b-1').inputs).toMatchObject([
      { param: 'file', source: 'a-1', command: null },
      { param: 't', source: 's-1', command: '' },
    ]);
    expect(JSON.stringify(step(plan, 'b-1').environment)).toBe('{"A":"1","B":"2"}');
  });

  it('may write the port of an input of the workflow in three ways', () => {
    for (const end of ['output/s-1/output', 'output/s-1/value', 'output/s-1']) {
      const plan = compile(draw().primitive('s-1', 'STRING', 'v').tool('a-1', { t: TEXT }).edge(end, 'input/a-1/t'));
      expect(plan.steps[0]?.inputs).toMatchObject([
        { source: 's-1', binding: { from: 'primitive', primitive: 's-1' } },
      ]);
    }
  });
});
