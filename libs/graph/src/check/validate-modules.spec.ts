import { describe, expect, it } from '@jest/globals';
import { type Modules } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw, drawChain, label } from '../testing/draw-workflow.js';
import { validateWorkflow } from './validate-workflow.js';

const FILE = { type: 'FILE', order: 0, command: '-f' } as const;

describe('nesting of modules', () => {
  const nested = (depth: number): Modules =>
    Object.fromEntries(
      Array.from({ length: depth }, (_, at) => [
        `k${at + 1}`,
        {
          workflow_id: `w${at + 1}`,
          data:
            at + 1 === depth
              ? draw().script('a-1').data()
              : draw()
                  .module('m-1', `k${at + 2}`)
                  .data(),
        },
      ]),
    );

  it('has at most eight levels', () => {
    const data = draw().module('m-1', 'k1').data();
    expect(validateWorkflow(data, { modules: nested(8) }).errors).toEqual([]);
    expect(compilePlan(data, nested(8)).steps.map((step) => step.node)).toEqual([`${'m-1/'.repeat(8)}a-1`]);
    expect(validateWorkflow(data, { modules: nested(9) }).errors).toMatchObject([
      { code: 'nesting_too_deep', node: 'm-1' },
    ]);
    expect(validateWorkflow(data, { modules: nested(3_000) }).errors).toMatchObject([{ code: 'nesting_too_deep' }]);
  });

  it('is rejected before expansion if it has too many steps', () => {
    const wide = (key: string) =>
      Array.from({ length: 200 }, (_, at) => `m-${at}`)
        .reduce((one, name) => one.module(name, key, {}, label(`out ${name}`)), draw())
        .data();
    const modules: Modules = {
      a: { workflow_id: 'a', data: draw().script('s-1', {}, label('result')).data() },
      ...Object.fromEntries(
        ['b', 'c', 'd', 'e'].map((key, at) => [key, { workflow_id: key, data: wide('abcd'[at] ?? '') }]),
      ),
    };
    expect(validateWorkflow(wide('e'), { modules }).errors).toMatchObject([{ code: 'too_large' }]);
  });

  it('is recursive through several workflows, and by workflow rather than by version', () => {
    const modules: Modules = {
      a1: { workflow_id: 'a', data: draw().module('x-1', 'b1').data() },
      b1: { workflow_id: 'b', data: draw().module('x-1', 'a2').data() },
      a2: { workflow_id: 'a', data: draw().script('s-1').data() },
    };
    expect(validateWorkflow(draw().module('m-1', 'a1').data(), { modules }).errors).toMatchObject([
      { code: 'module_recursion' },
    ]);
    expect(validateWorkflow(draw().module('m-1', 'a2').data(), { modules }).errors).toEqual([]);
  });

  it('is not recursive if a module is used twice', () => {
    const modules: Modules = { a: { workflow_id: 'a', data: draw().script('s-1').data() } };
    expect(validateWorkflow(draw().module('m-1', 'a').module('m-2', 'a').data(), { modules }).errors).toEqual([]);
  });
});

describe('a problem', () => {
  it('names the cycle along its edges', () => {
    const { errors } = validateWorkflow(
      drawChain(3).wire('step-3.file', 'step-2.file').script('after-1').wire('step-3.file', 'after-1.file').data(),
      {},
    );
    expect(errors[0]?.message).toMatch(/step-2 → step-3 → step-2|step-3 → step-2 → step-3/);
  });

  it('suggests the nearest name', () => {
    const { errors } = validateWorkflow(
      draw()
        .script('sort-1')
        .tool('join-1', { left: { ...FILE, multi: true } })
        .wire('srot-1.file', 'join-1.left')
        .wire('sort-1.fiel', 'join-1.left')
        .wire('sort-1.file', 'join-1.letf')
        .data(),
      {},
    );
    expect(errors.map((problem) => problem.hint)).toEqual([
      'Did you mean "sort-1"?',
      'Did you mean "file"?',
      'Did you mean "left"?',
    ]);
  });

  it('is listed if it is among the first 200, and counted otherwise', () => {
    const drawing = draw();
    for (let at = 0; at < 500; at += 1) drawing.script(`a-${at}`, {}, { script: { source: '' } });
    const { errors } = validateWorkflow(drawing.data(), {});
    expect(errors).toHaveLength(201);
    expect(errors.at(-1)).toMatchObject({ code: 'more_problems', message: '300 more problems are not listed.' });
  });
});
