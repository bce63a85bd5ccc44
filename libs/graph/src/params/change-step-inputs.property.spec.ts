import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compilePlan } from '../plan/compile-plan.js';
import type { Plan } from '../plan/plan.js';
import { ADDED_PARAM, addParam, listScripts } from '../testing/add-param.js';
import { draw } from '../testing/draw-workflow.js';
import { randomWorkflow } from '../testing/random-workflow.js';
import { changeStepInputs, DifferentPlanError } from './change-step-inputs.js';
import { setParams, type ParamValue, type ParamValues } from './set-params.js';

const value = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom<ParamValue[]>(null, 7, 'a', '${{vars.RUN_ID}}'));

const bytes = (plan: Plan): string => JSON.stringify(plan);

describe('changed inputs of a plan', () => {
  it('make exactly the plan that is compiled from the changed workflow, however often they change', () => {
    fc.assert(
      fc.property(randomWorkflow, fc.array(fc.array(fc.tuple(fc.nat(20), value))), ({ data, modules }, changes) => {
        let written: unknown = addParam(data);
        let plan = compilePlan(written, modules);
        const names = listScripts(data);
        if (names.length === 0) return;
        for (const change of changes) {
          const values: ParamValues = Object.fromEntries(
            change.map(([at, text]) => [names[at % names.length] ?? '', { [ADDED_PARAM]: text }]),
          );
          const next = setParams(written, modules, values);
          const [before, after] = [compilePlan(written, modules), compilePlan(next, modules)];
          const changed = changeStepInputs(plan, before, after);
          expect(bytes(changed.plan)).toBe(bytes(after));
          const differing = after.steps.filter(
            ({ inputs }, at) => JSON.stringify(inputs) !== JSON.stringify(before.steps[at]?.inputs),
          );
          expect(changed.steps).toEqual(differing.map(({ index }) => index));
          [written, plan] = [next, changed.plan];
        }
      }),
      { numRuns: 100 },
    );
  });
});

const draft = (source: string, text: string, more = false) => {
  const drawing = draw()
    .script('a-1', {}, { script: { source } })
    .tool('b-1', { t: { type: 'STRING', order: 1, value: text } });
  return compilePlan((more ? drawing.script('c-1') : drawing).data(), {});
};

it('steps that are compiled differently today keep what they have', () => {
  const changed = changeStepInputs(draft('former', '1'), draft('later', '1'), draft('later', '2'));
  expect(changed.plan).toEqual(draft('former', '2'));
  expect(changed.steps).toEqual([1]);
});

it('a plan with other steps, or another value of the changed parameter, is not changed', () => {
  expect(() => changeStepInputs(draft('x', '1'), draft('x', '1', true), draft('x', '2', true))).toThrow(
    DifferentPlanError,
  );
  expect(() => changeStepInputs(draft('x', '0'), draft('x', '1'), draft('x', '2'))).toThrow(DifferentPlanError);
});
