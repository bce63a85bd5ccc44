import { compareNames } from '../parse/order-nodes.js';
import { findFormat } from '../plan/compile-plan.js';
import type { Plan, PlanPrimitive, Step } from '../plan/plan.js';

/** The plan was compiled from something else, for example from an earlier version of a module. */
export class DifferentPlanError extends Error {
  /** @param node whose inputs differ; null if the plans have other steps */
  constructor(readonly node: string | null) {
    super(node === null ? 'The plans have different steps' : `The plans have different inputs of ${node}`);
    this.name = 'DifferentPlanError';
  }
}

export interface ChangedPlan {
  plan: Plan;
  /** Indexes of the steps whose inputs differ. */
  steps: number[];
  /** Ids of inputs that the plan did not have, or had with another value. */
  primitives: string[];
}

/**
 * Gives the steps of a plan the inputs that they get by a change of their workflow. Everything else stays as it is, also
 * if it would be compiled differently today.
 * @param before the workflow of the plan, compiled today
 * @param after the workflow with other values of parameters
 * @throws DifferentPlanError if the plan and `before` differ in something that the change is about
 */
export function changeStepInputs(current: Plan, before: Plan, after: Plan): ChangedPlan {
  if (!hasSameShape(current, before) || !hasSameShape(before, after)) throw new DifferentPlanError(null);
  const changed: number[] = [];
  const steps = current.steps.map((step, index) => {
    const [former, next] = [before.steps[index]?.inputs ?? [], after.steps[index]?.inputs ?? []];
    if (isEqual(former, next)) return step;
    if (!isEqual(step.inputs, former)) throw new DifferentPlanError(step.node);
    changed.push(index);
    return { ...step, inputs: next };
  });
  const { all, ids } = changePrimitives(current, before, after);
  const { segments } = current;
  const format = findFormat({ steps, segments, primitives: all });
  return { plan: { ...current, format, steps, primitives: all }, steps: changed, primitives: ids };
}

function changePrimitives(current: Plan, before: Plan, after: Plan) {
  const primitives = new Map(Object.entries(current.primitives));
  const [former, next] = [new Map(Object.entries(before.primitives)), new Map(Object.entries(after.primitives))];
  const ids: string[] = [];
  for (const id of new Set([...former.keys(), ...next.keys()])) {
    const value: PlanPrimitive | undefined = next.get(id);
    if (isEqual(former.get(id), value)) continue;
    if (value === undefined) primitives.delete(id);
    else {
      primitives.set(id, value);
      ids.push(id);
    }
  }
  return { all: Object.fromEntries([...primitives].sort(([a], [b]) => compareNames(a, b))), ids };
}

const describeShape = ({ steps, segments, scopes }: Plan): unknown => [
  steps.map(({ node, type, segment, scope }: Step) => [node, type, segment, scope]),
  segments,
  scopes,
];

const hasSameShape = (a: Plan, b: Plan): boolean => isEqual(describeShape(a), describeShape(b));

/** Plans are pure data, and equal parts of them have the same text. */
const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
