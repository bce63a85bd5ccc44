import { describe, expect, it } from '@jest/globals';
import { type Modules } from '../data/workflow-data.js';
import { draw, drawChain, label, type Drawing } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';
import { type Plan, type Step } from './plan.js';

const LINES = { distribution: { input: 'file', mode: 'line' } } as const;

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
/** The needs of a node's segment, with the last node of the other segment: `a-1 each`, `b-1 all orders`. */
const needs = (plan: Plan, { segment }: Step): string[] =>
  (plan.segments[segment]?.needs ?? []).map(({ segment: other, how, ordersOnly }) => {
    const last = plan.steps[plan.segments[other]?.steps.at(-1) ?? -1];
    return `${last?.node ?? '?'}${last?.type === 'SPLIT' ? '#split' : ''} ${how}${ordersOnly ? ' orders' : ''}`;
  });

describe('a connection that only orders', () => {
  it('is a need without data, and does not fuse the two steps', () => {
    const plan = compile(draw().script('a-1').script('b-1').order('a-1', 'b-1'));
    expect(plan.format).toBe(3);
    expect(chains(plan)).toEqual([['a-1'], ['b-1']]);
    expect(plan.steps[1]?.inputs).toEqual([]);
    expect(plan.segments[1]?.needs).toEqual([{ segment: 0, how: 'all', ordersOnly: true }]);
  });

  it('changes nothing beside a connection with data', () => {
    const plan = compile(drawChain(3).order('step-1', 'step-2'));
    expect(JSON.stringify(plan)).toBe(JSON.stringify(compile(drawChain(3))));
  });

  it('keeps a step that others follow from being fused with its consumer', () => {
    const plan = compile(drawChain(3).script('x-1').order('step-2', 'x-1'));
    expect(chains(plan)).toEqual([['step-1', 'step-2'], ['step-3'], ['x-1']]);
    expect(needs(plan, step(plan, 'step-3'))).toEqual(['step-2 all']);
    expect(needs(plan, step(plan, 'x-1'))).toEqual(['step-2 all orders']);
  });

  it('orders child by child inside of a scope, and waits for all children outside of it', () => {
    const plan = compile(
      draw()
        .script('list-1')
        .splitter('s-1')
        .script('a-1')
        .script('b-1')
        .script('end-1')
        .wire('list-1.file', 's-1.multiple')
        .wire('s-1.output', 'a-1.file')
        .wire('s-1.output', 'b-1.file')
        .order('a-1', 'b-1')
        .order('b-1', 'end-1'),
    );
    expect(needs(plan, step(plan, 'b-1'))).toEqual(['s-1 all', 'a-1 each orders']);
    expect(needs(plan, step(plan, 'end-1'))).toEqual(['b-1 all orders']);
  });

  it('leads to the hidden split of a distributed node', () => {
    const plan = compile(
      draw()
        .script('list-1')
        .script('x-1')
        .script('each-1', {}, LINES)
        .wire('list-1.file', 'each-1.file')
        .order('x-1', 'each-1'),
    );
    expect(needs(plan, step(plan, 'each-1', 'SPLIT'))).toEqual(['list-1 all', 'x-1 all orders']);
    expect(needs(plan, step(plan, 'each-1'))).toEqual(['each-1#split all']);
  });

  it('leads to all first steps of a module, and from all of its last steps', () => {
    const inner = draw().script('a-1').script('b-1').script('c-1').script('d-1').wire('a-1.file', 'c-1.file');
    const modules = { m: { workflow_id: 'w', data: inner.wire('b-1.file', 'c-1.file').data() } };
    const plan = compile(
      draw().script('x-1').module('m-1', 'm').script('y-1').order('x-1', 'm-1').order('m-1', 'y-1'),
      modules,
    );
    for (const node of ['m-1/a-1', 'm-1/b-1', 'm-1/d-1'])
      expect(needs(plan, step(plan, node))).toEqual(['x-1 all orders']);
    expect(needs(plan, step(plan, 'm-1/c-1'))).toEqual(['m-1/a-1 all', 'm-1/b-1 all']);
    expect(needs(plan, step(plan, 'y-1')).sort()).toEqual(['m-1/c-1 all orders', 'm-1/d-1 all orders']);
  });

  it('passes through a module without nodes', () => {
    const plan = compile(
      draw().script('x-1').module('m-1', 'm').script('y-1').order('x-1', 'm-1').order('m-1', 'y-1'),
      { m: { workflow_id: 'w', data: {} } },
    );
    expect(needs(plan, step(plan, 'y-1'))).toEqual(['x-1 all orders']);
  });

  it('leads from a distributed module after all of its children', () => {
    const inner = draw().primitive('http-input-1', 'FILE', 'https://example.org/a', 'feed').script('a-1');
    const modules = { m: { workflow_id: 'w', data: inner.wire('http-input-1', 'a-1.file').data() } };
    const plan = compile(
      draw()
        .script('list-1')
        .module('m-1', 'm', {}, { distribution: { input: 'feed', mode: 'line' } })
        .script('y-1')
        .wire('list-1.file', 'm-1.feed')
        .order('m-1', 'y-1'),
      modules,
    );
    expect(needs(plan, step(plan, 'y-1'))).toEqual(['m-1/a-1 all orders']);
  });
});

describe('the rule for failures', () => {
  it('is in the step, and absent for `fail`', () => {
    const plan = compile(
      draw()
        .script('a-1', {}, { on_error: 'continue', fail_threshold: '2.5%' })
        .script('b-1', {}, { on_error: 'empty', fail_threshold: 0 })
        .script('c-1', {}, { on_error: 'fail' }),
    );
    expect(plan.format).toBe(3);
    expect(step(plan, 'a-1')).toMatchObject({ onError: 'continue', failThreshold: { percent: 2.5 } });
    expect(step(plan, 'b-1')).toMatchObject({ onError: 'empty', failThreshold: { count: 0 } });
    expect(step(plan, 'c-1')).not.toHaveProperty('onError');
  });

  it('ends the segment of a step whose failure counts as an empty output', () => {
    const chain = (on_error: 'continue' | 'empty'): string[][] => {
      const drawing = drawChain(3);
      Object.assign(drawing.nodes['step-2'] ?? {}, { on_error });
      return chains(compile(drawing));
    };
    expect(chain('empty')).toEqual([['step-1', 'step-2'], ['step-3']]);
    expect(chain('continue')).toEqual([['step-1', 'step-2', 'step-3']]);
  });

  it('holds for the hidden split too, without the threshold', () => {
    const plan = compile(
      draw()
        .script('list-1')
        .script('each-1', {}, { ...LINES, on_error: 'continue', fail_threshold: 5 })
        .wire('list-1.file', 'each-1.file'),
    );
    expect(step(plan, 'each-1', 'SPLIT').onError).toBe('continue');
    expect(step(plan, 'each-1', 'SPLIT')).not.toHaveProperty('failThreshold');
    expect(step(plan, 'each-1').failThreshold).toEqual({ count: 5 });
  });

  it('of a module holds for its nodes that declare none, at any depth', () => {
    const innermost = draw().script('a-1').script('b-1', {}, { on_error: 'fail' });
    const inner = draw().module('n-1', 'n').script('c-1', {}, { on_error: 'empty', fail_threshold: 1 });
    const plan = compile(draw().module('m-1', 'm', {}, { on_error: 'continue', fail_threshold: '10%' }), {
      m: { workflow_id: 'w', data: inner.data() },
      n: { workflow_id: 'v', data: innermost.data() },
    });
    expect(step(plan, 'm-1/n-1/a-1')).toMatchObject({ onError: 'continue', failThreshold: { percent: 10 } });
    expect(step(plan, 'm-1/n-1/b-1')).not.toHaveProperty('onError');
    expect(step(plan, 'm-1/c-1')).toMatchObject({ onError: 'empty', failThreshold: { count: 1 } });
  });
});

describe('an approval', () => {
  it('is a step and a segment of its own, with the defaults of its fields', () => {
    const plan = compile(
      draw().script('a-1').approval('ok-1').script('b-1').wire('a-1.file', 'ok-1.file').wire('ok-1.file', 'b-1.file'),
    );
    expect(plan.format).toBe(3);
    expect(chains(plan)).toEqual([['a-1'], ['ok-1'], ['b-1']]);
    expect(step(plan, 'ok-1')).toMatchObject({
      type: 'APPROVAL',
      program: { kind: 'approval', message: '', role: 'execute', expiresAfterSeconds: null, onExpiry: 'reject' },
      inputs: [{ param: 'file', source: 'a-1', command: null }],
      retries: 0,
    });
    expect(plan.outputs.map((output) => output.label)).toEqual(['b']);
  });

  it('has the fields that its node sets, and none of a program', () => {
    const approval = { message: 'Deploy?', role: 'owner', expires_after_seconds: 60, on_expiry: 'approve' } as const;
    const script = { source: 'x', environment: { A: '1' } };
    const plan = compile(draw().approval('ok-1', { approval, script, retries: 3, cache: true, bee_type: 'large' }));
    expect(plan.steps[0]).toMatchObject({
      program: { message: 'Deploy?', role: 'owner', expiresAfterSeconds: 60, onExpiry: 'approve' },
      ...{ environment: {}, retries: 0, cache: false, size: 'small' },
    });
  });

  it('may distribute what it takes, with one decision for each item', () => {
    const plan = compile(draw().script('list-1').approval('ok-1', LINES).wire('list-1.file', 'ok-1.file'));
    expect(step(plan, 'ok-1', 'SPLIT').program.kind).toBe('split');
    expect(step(plan, 'ok-1')).toMatchObject({
      scope: 0,
      inputs: [{ type: 'FILE', binding: { from: 'item', scope: 0 } }],
    });
  });

  it('may be inside of a distribution and of a module, and be a named output', () => {
    const inner = draw()
      .primitive('http-input-1', 'FILE', 'https://example.org/a', 'feed')
      .approval('ok-1', label('decision'))
      .wire('http-input-1', 'ok-1.file');
    const plan = compile(
      draw()
        .script('list-1')
        .module('m-1', 'm', {}, { distribution: { input: 'feed', mode: 'line' } })
        .script('end-1')
        .wire('list-1.file', 'm-1.feed')
        .wire('m-1.decision/folder', 'end-1.folder'),
      { m: { workflow_id: 'w', data: inner.data() } },
    );
    expect(step(plan, 'm-1/ok-1')).toMatchObject({ scope: 0, program: { kind: 'approval' } });
    expect(step(plan, 'end-1').inputs).toMatchObject([
      { binding: { step: step(plan, 'm-1/ok-1').index, gather: true } },
    ]);
  });
});
