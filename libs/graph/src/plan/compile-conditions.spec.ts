import { describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '../check/validate-workflow.js';
import { type Modules } from '../data/workflow-data.js';
import { draw, drawChain, label, type Drawing } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';
import { type Plan, type Step } from './plan.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const LINES = { distribution: { input: 'file', mode: 'line' } } as const;

const compile = (drawing: Drawing, modules: Modules = {}): Plan => compilePlan(drawing.data(), modules);
const step = (plan: Plan, node: string, type?: Step['type']): Step => {
  const found = plan.steps.find(
    (one) => one.node === node && (type === undefined ? one.type !== 'SPLIT' : one.type === type),
  );
  if (found === undefined) throw new Error(`no step ${node}`);
  return found;
};
const when = (text: string) => ({ when: text });
const needsOf = (plan: Plan, { segment }: Step) => plan.segments[segment]?.needs;

describe('a condition', () => {
  it('names steps and inputs by their place in the plan, and what to read of them', () => {
    const plan = compile(
      draw()
        .primitive('string-input-1', 'STRING', 'quick', 'mode')
        .script('a-1')
        .script('b-1')
        .script(
          'c-1',
          {},
          when('inputs.mode = deep AND nodes.b-1.lines > 0 OR nodes.a-1.exit_code=0 AND nodes.b-1.size > 1'),
        ),
    );
    const [a, b, c] = [step(plan, 'a-1').index, step(plan, 'b-1').index, step(plan, 'c-1')];
    expect(plan.format).toBe(3);
    expect(c.when).toEqual({
      text: 'inputs.mode = deep AND nodes.b-1.lines > 0 OR nodes.a-1.exit_code=0 AND nodes.b-1.size > 1',
      steps: [a, b],
      inputs: ['string-input-1'],
      reads: [
        { step: a, child: 'all', facts: ['exit_code'] },
        { step: b, child: 'all', facts: ['lines', 'size'] },
      ],
      expression: {
        kind: 'or',
        items: [
          {
            kind: 'and',
            items: [
              test({ from: 'input', primitive: 'string-input-1' }, '=', ['deep'], 'inputs.mode = deep'),
              test({ from: 'step', step: b, fact: 'lines' }, '>', [0], 'nodes.b-1.lines > 0'),
            ],
          },
          {
            kind: 'and',
            items: [
              test({ from: 'step', step: a, fact: 'exit_code' }, '=', [0], 'nodes.a-1.exit_code = 0'),
              test({ from: 'step', step: b, fact: 'size' }, '>', [1], 'nodes.b-1.size > 1'),
            ],
          },
        ],
      },
    });
    expect(needsOf(plan, c)).toEqual([
      { segment: step(plan, 'a-1').segment, how: 'all', ordersOnly: true },
      { segment: step(plan, 'b-1').segment, how: 'all', ordersOnly: true },
    ]);
  });

  it('begins a segment, and leaves a need with data as it is', () => {
    const drawing = drawChain(3);
    Object.assign(drawing.nodes['step-2'] ?? {}, when('nodes.step-1.size > 0'));
    const plan = compile(drawing);
    expect(plan.segments.map(({ steps, needs }) => [steps, needs])).toEqual([
      [[0], []],
      [[1, 2], [{ segment: 0, how: 'all' }]],
    ]);
  });

  it('reads the same child in its own scope, and all children elsewhere', () => {
    const plan = compile(
      draw()
        .script('list-1')
        .splitter('s-1')
        .script('a-1')
        .script('b-1', {}, when('nodes.a-1.first_line = x'))
        .script('end-1', {}, when('nodes.a-1.failed < 5 AND nodes.s-1.children > 0'))
        .wire('list-1.file', 's-1.multiple')
        .wire('s-1.output', 'a-1.file')
        .wire('a-1.file', 'b-1.file'),
    );
    const a = step(plan, 'a-1').index;
    expect(step(plan, 'b-1').when?.reads).toEqual([{ step: a, child: 'same', facts: ['first_line'] }]);
    expect(step(plan, 'end-1').when?.reads).toEqual([
      { step: step(plan, 's-1').index, child: 'all', facts: ['children'] },
      { step: a, child: 'all', facts: ['failed'] },
    ]);
  });

  it('of a distributed node is that of its hidden split', () => {
    const plan = compile(
      draw()
        .script('list-1')
        .script('each-1', {}, { ...LINES, ...when('nodes.list-1.lines > 0') })
        .wire('list-1.file', 'each-1.file'),
    );
    expect(step(plan, 'each-1', 'SPLIT').when?.steps).toEqual([step(plan, 'list-1').index]);
    expect(step(plan, 'each-1').when).toBeUndefined();
  });

  it('has no effect if it is empty', () => {
    expect(JSON.stringify(compile(draw().script('a-1', {}, when('  '))))).toBe(
      JSON.stringify(compile(draw().script('a-1'))),
    );
  });

  it('names nodes with spaces, dots and quotes, in backticks where necessary', () => {
    const plan = compile(
      draw()
        .script('v1.scan-1')
        .script('my `scan`')
        .script('b-1', {}, when('nodes.v1.scan-1.size > 0 AND nodes.`my ``scan```.size > 0')),
    );
    expect(step(plan, 'b-1').when?.steps).toHaveLength(2);
  });
});

describe('the condition of a module', () => {
  const inner = draw()
    .primitive('http-input-1', 'FILE', 'https://example.org/a', 'feed')
    .script('a-1')
    .script('b-1')
    .script('c-1')
    .script('d-1', {}, when('nodes.a-1.size > 1'))
    .wire('http-input-1', 'a-1.file')
    .wire('a-1.file', 'b-1.file')
    .wire('a-1.file', 'c-1.file')
    .wire('http-input-1', 'c-1.file')
    .order('b-1', 'd-1');
  const modules = { m: { workflow_id: 'w', data: inner.data() } };

  it('is that of each inner step that would otherwise run, joined with its own', () => {
    const plan = compile(draw().script('x-1').module('m-1', 'm', {}, when('nodes.x-1.size > 0')), modules);
    const x = step(plan, 'x-1').index;
    expect(step(plan, 'm-1/a-1').when).toMatchObject({ text: 'nodes.x-1.size > 0', steps: [x] });
    expect(step(plan, 'm-1/b-1').when).toBeUndefined();
    expect(step(plan, 'm-1/c-1').when?.steps).toEqual([x]);
    expect(step(plan, 'm-1/d-1').when).toMatchObject({
      text: '(nodes.x-1.size > 0) AND (nodes.a-1.size > 1)',
      steps: [x, step(plan, 'm-1/a-1').index],
      expression: { kind: 'and' },
    });
  });

  it('is also that of an inner step that gathers, which would run without children', () => {
    const gathering = draw()
      .primitive('http-input-1', 'FILE', 'https://example.org/a', 'feed')
      .script('each-1', {}, LINES)
      .script('end-1')
      .wire('http-input-1', 'each-1.file')
      .wire('each-1.folder', 'end-1.folder');
    const plan = compile(draw().script('x-1').module('m-1', 'm', {}, when('nodes.x-1.size > 0')), {
      m: { workflow_id: 'w', data: gathering.data() },
    });
    expect(plan.steps.filter((one) => one.when).map(({ node, type }) => [node, type])).toEqual([
      ['m-1/each-1', 'SPLIT'],
      ['m-1/end-1', 'SCRIPT'],
    ]);
  });

  it('is that of the hidden split of a distributed module only', () => {
    const plan = compile(
      draw()
        .script('x-1')
        .module('m-1', 'm', {}, { distribution: { input: 'feed', mode: 'line' }, ...when('nodes.x-1.size > 0') })
        .wire('x-1.file', 'm-1.feed'),
      modules,
    );
    expect(plan.steps.filter((one) => one.when?.text.includes('x-1')).map(({ type }) => type)).toEqual(['SPLIT']);
    expect(step(plan, 'm-1/d-1').when?.reads).toMatchObject([{ child: 'same' }]);
  });
});

describe('a condition in a module', () => {
  const module = (text: string): Modules => ({
    m: {
      workflow_id: 'w',
      data: draw()
        .primitive('string-input-1', 'STRING', 'quick', 'mode')
        .primitive('http-input-1', 'FILE', 'https://example.org/a', 'feed')
        .script('a-1', {}, label('result'))
        .script('b-1', {}, when(text))
        .wire('http-input-1', 'a-1.file')
        .data(),
    },
  });
  const subject = (plan: Plan) => {
    const expression = step(plan, 'm-1/b-1').when?.expression;
    return expression?.kind === 'test' ? expression.subject : null;
  };

  it('uses the inputs of the module: its default, a value on the module node, or an input of the workflow', () => {
    const modules = module('inputs.mode = deep');
    expect(subject(compile(draw().module('m-1', 'm'), modules))).toEqual({
      from: 'input',
      primitive: 'm-1/string-input-1',
    });
    expect(subject(compile(draw().module('m-1', 'm', { mode: { ...TEXT, value: 'deep' } }), modules))).toEqual({
      from: 'value',
      value: 'deep',
    });
    const outer = draw().primitive('s-1', 'STRING', 'x', 'depth').module('m-1', 'm').wire('s-1', 'm-1.mode');
    const plan = compile(outer, modules);
    expect(subject(plan)).toEqual({ from: 'input', primitive: 's-1' });
    expect(step(plan, 'm-1/b-1').when?.inputs).toEqual(['s-1']);
  });

  it('cannot use an input that an output is connected to', () => {
    const outer = draw().script('x-1').module('m-1', 'm').wire('x-1.file', 'm-1.feed');
    expect(validateWorkflow(outer.data(), { modules: module('inputs.feed IS NULL') }).errors).toMatchObject([
      { code: 'bad_condition', node: 'm-1/b-1', position: 0, message: expect.stringContaining('the output of a node') },
    ]);
  });

  it('may be outside of it and name one of its outputs', () => {
    const outer = draw().module('m-1', 'm').script('z-1', {}, when('nodes.m-1.result.lines > 0'));
    const plan = compile(outer, module(''));
    expect(step(plan, 'z-1').when?.steps).toEqual([step(plan, 'm-1/a-1').index]);
  });
});

const test = (subject: unknown, operator: string, values: unknown[], text: string) => ({
  ...{ kind: 'test', subject, operator, values, text },
});
