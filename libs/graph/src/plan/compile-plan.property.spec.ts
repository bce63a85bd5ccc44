import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validateWorkflow } from '../check/validate-workflow.js';
import { randomWorkflow } from '../testing/random-workflow.js';
import { expectTraces, runPlan } from '../testing/run-plan.js';
import { compilePlan } from './compile-plan.js';
import { type Plan } from './plan.js';

const RUNS = { numRuns: 400 };
const shuffled = <T>(values: Record<string, T>, seed: number): Record<string, T> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => hash(a, seed) - hash(b, seed)));
const hash = (text: string, seed: number): number =>
  [...text].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 997, seed);

describe('a plan of any valid workflow', () => {
  it('runs every item exactly once, in any order, with the inputs of the drawing, gathered in index order', () => {
    fc.assert(
      fc.property(randomWorkflow, fc.infiniteStream(fc.nat()), ({ data, modules, expected }, picks) => {
        const plan = compilePlan(data, modules);
        const pick = (): number => Number(picks.next().value);
        expect(sorted(runPlan(plan, pick))).toEqual(sorted(expectTraces(expected)));
      }),
      RUNS,
    );
  });

  it('puts every step into one segment, and follows every binding forward only', () => {
    fc.assert(
      fc.property(randomWorkflow, ({ data, modules }) => {
        const plan = compilePlan(data, modules);
        expect(plan.segments.flatMap((segment) => segment.steps).sort((a, b) => a - b)).toEqual(
          plan.steps.map((_, index) => index),
        );
        plan.segments.forEach((segment, index) => {
          expect(segment.index).toBe(index);
          for (const step of segment.steps)
            expect(plan.steps[step]).toMatchObject({ segment: index, scope: segment.scope });
          for (const need of segment.needs) expect(need.segment).toBeLessThan(index);
        });
        for (const step of plan.steps)
          for (const before of stepsBefore(plan, step.index)) expect(before).toBeLessThan(step.index);
      }),
      RUNS,
    );
  });

  it('fuses two steps exactly if the second is the only consumer, has no other dependency, and no scope boundary is between', () => {
    fc.assert(
      fc.property(randomWorkflow, ({ data, modules }) => {
        const plan = compilePlan(data, modules);
        for (const step of plan.steps) {
          for (const after of plan.steps.filter((one) => stepsBefore(plan, one.index).has(step.index))) {
            const consumers = plan.steps.filter((one) => stepsBefore(plan, one.index).has(step.index));
            const gathers = after.inputs.some(
              ({ binding }) => binding.from === 'step' && binding.step === step.index && binding.gather,
            );
            const splits = step.program.kind === 'split' || after.program.kind === 'split';
            const alone = consumers.length === 1 && stepsBefore(plan, after.index).size === 1;
            expect(after.segment === step.segment).toBe(alone && !gathers && !splits && after.scope === step.scope);
          }
        }
      }),
      RUNS,
    );
  });

  it('has the same bytes for any order of keys and connections', () => {
    fc.assert(
      fc.property(randomWorkflow, fc.nat(), ({ data, modules }, seed) => {
        const connections = Object.values(
          shuffled(Object.fromEntries((data.connections ?? []).map((edge) => [JSON.stringify(edge), edge])), seed),
        );
        const other = { ...data, nodes: shuffled(data.nodes ?? {}, seed), connections };
        expect(JSON.stringify(compilePlan(other, modules))).toBe(JSON.stringify(compilePlan(data, modules)));
      }),
      RUNS,
    );
  });

  it('comes from data without validation errors', () => {
    fc.assert(
      fc.property(randomWorkflow, ({ data, modules }) =>
        expect(validateWorkflow(data, { modules }).errors).toEqual([]),
      ),
      RUNS,
    );
  });
});

const sorted = (traces: Map<string, string>): [string, string][] => [...traces].sort(([a], [b]) => (a < b ? -1 : 1));

const stepsBefore = (plan: Plan, index: number): Set<number> =>
  new Set((plan.steps[index]?.inputs ?? []).flatMap(({ binding }) => (binding.from === 'step' ? [binding.step] : [])));
