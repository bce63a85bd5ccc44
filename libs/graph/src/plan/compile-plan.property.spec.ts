import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validateWorkflow } from '../check/validate-workflow.js';
import { randomWorkflow } from '../testing/random-workflow.js';
import { expectTraces, runPlan } from '../testing/run-plan.js';
import { compilePlan } from './compile-plan.js';
import { type Plan, type Step } from './plan.js';

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
          segment.steps.slice(1).forEach((step, at) => {
            expect(stepsBefore(plan, step)).toEqual(new Set([segment.steps[at]]));
          });
        });
        for (const step of plan.steps)
          for (const before of stepsBefore(plan, step.index)) expect(before).toBeLessThan(step.index);
      }),
      RUNS,
    );
  });

  it('fuses two steps exactly if the second is the only consumer, has no other dependency, and no boundary is between', () => {
    fc.assert(
      fc.property(randomWorkflow, ({ data, modules }) => {
        const plan = compilePlan(data, modules);
        const before = plan.steps.map(
          ({ index }) => new Set([...stepsBefore(plan, index), ...orderedBefore(plan, index)]),
        );
        for (const step of plan.steps) {
          const consumers = plan.steps.filter(({ index }) => before[index]?.has(step.index));
          for (const after of consumers) {
            const gathers = after.inputs.some(
              ({ binding }) => binding.from === 'step' && binding.step === step.index && binding.gather,
            );
            const programs = [step.program.kind, after.program.kind];
            const ends = programs.includes('split') || programs.includes('approval') || step.onError === 'empty';
            const hasData = stepsBefore(plan, after.index).has(step.index);
            const alone = consumers.length === 1 && before[after.index]?.size === 1 && hasData && !after.when;
            expect(after.segment === step.segment).toBe(alone && !gathers && !ends && after.scope === step.scope);
          }
        }
      }),
      RUNS,
    );
  });

  it('ends a segment with each step that another node follows without data', () => {
    fc.assert(
      fc.property(randomWorkflow, ({ data, modules, orders }) => {
        const plan = compilePlan(data, modules);
        const stepOf = (path: string) => plan.steps.find(({ node, type }) => node === path && type !== 'SPLIT');
        for (const { first, second } of orders) {
          const step = stepOf(first);
          if (step === undefined || stepOf(second)?.segment === step.segment) continue;
          expect(plan.segments[step.segment]?.steps.at(-1)).toBe(step.index);
        }
      }),
      RUNS,
    );
  });

  it('ends every step of a node before a node that follows it, in one scope child by child', () => {
    fc.assert(
      fc.property(randomWorkflow, fc.infiniteStream(fc.nat()), ({ data, modules, orders }, picks) => {
        const plan = compilePlan(data, modules);
        const executed = [...runPlan(plan, () => Number(picks.next().value)).keys()].map((key, at) => ({ key, at }));
        const scopes = new Map(plan.steps.map((step) => [step.node, step.scope]));
        const executionsOf = (path: string) =>
          executed.flatMap(({ key, at }) => {
            const [node = '', child = ''] = key.split('#');
            const scope = child === 'split' ? null : (scopes.get(node) ?? null);
            return node === path || node.startsWith(`${path}/`) ? [{ at, child, scope }] : [];
          });
        for (const { first, second } of orders) {
          const firsts = executionsOf(first);
          for (const late of executionsOf(second)) {
            const isRelated = ({ child, scope }: typeof late) =>
              scope === null || scope !== late.scope || child === late.child;
            for (const early of firsts.filter(isRelated)) expect(early.at).toBeLessThan(late.at);
          }
        }
      }),
      RUNS,
    );
  });

  it('skips all of a node, and of a module, if its condition is false', () => {
    fc.assert(
      fc.property(randomWorkflow, fc.nat(), ({ data, modules, conditions }, at) => {
        const plan = compilePlan(data, modules);
        const { path, when } = conditions[at % Math.max(1, conditions.length)] ?? { path: '', when: null };
        if (when === null) return;
        const isGated = (node: string): boolean => node === path || node.startsWith(`${path}/`);
        const skipped = skipSteps(plan, (step) => isGated(step.node) && (step.when?.text.includes(when) ?? false));
        for (const step of plan.steps) if (isGated(step.node)) expect(skipped).toContain(step.index);
        for (const step of plan.steps) {
          if (isGated(step.node)) continue;
          const bindings = step.inputs.map(({ binding }) => binding);
          const takesData = bindings.some((binding) => binding.from === 'step' && skipped.has(binding.step));
          if (!takesData && (step.scope === null || !skipped.has(plan.scopes[step.scope]?.split ?? -1)))
            expect(skipped).not.toContain(step.index);
        }
      }),
      RUNS,
    );
  });

  it('has format 3 exactly if it uses something of it, and no need that only orders beside one with data', () => {
    fc.assert(
      fc.property(randomWorkflow, ({ data, modules }) => {
        const plan = compilePlan(data, modules);
        const needs = plan.segments.flatMap((segment) => segment.needs);
        const isNew = plan.steps.some(({ onError, when, type }) => onError ?? when ?? type === 'APPROVAL');
        expect(plan.format).toBe(isNew || needs.some((need) => need.ordersOnly) ? 3 : 1);
        for (const { needs: own, steps } of plan.segments) {
          expect(new Set(own.map((need) => need.segment)).size).toBe(own.length);
          const sources = [...stepsBefore(plan, steps[0] ?? -1)].map((step) => plan.steps[step]?.segment);
          for (const need of own) if (need.ordersOnly) expect(sources).not.toContain(need.segment);
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

/** Steps from which a step takes no data although it follows them. An order leads to the last step of a segment only. */
const orderedBefore = (plan: Plan, index: number): number[] => {
  const segment = plan.segments[plan.steps[index]?.segment ?? -1];
  if (segment?.steps[0] !== index) return [];
  const ordered = segment.needs.filter((need) => need.ordersOnly);
  return ordered.map((need) => plan.segments[need.segment]?.steps.at(-1) ?? -1);
};

/**
 * The steps that are skipped if some conditions are false, as the engine decides it: a step whose condition is false, whose
 * scope's split is skipped, or that has a parameter with data from skipped steps only. Gathering nothing is possible.
 */
function skipSteps(plan: Plan, isFalse: (step: Step) => boolean): Set<number> {
  const skipped = new Set<number>();
  for (const step of plan.steps) {
    const params = Map.groupBy(step.inputs, ({ param }) => param);
    const isStarved = [...params.values()].some((inputs) =>
      inputs.every(({ binding }) => binding.from === 'step' && !binding.gather && skipped.has(binding.step)),
    );
    const split = step.scope === null ? undefined : plan.scopes[step.scope]?.split;
    if (isFalse(step) || isStarved || (split !== undefined && skipped.has(split))) skipped.add(step.index);
  }
  return skipped;
}

const stepsBefore = (plan: Plan, index: number): Set<number> =>
  new Set((plan.steps[index]?.inputs ?? []).flatMap(({ binding }) => (binding.from === 'step' ? [binding.step] : [])));
