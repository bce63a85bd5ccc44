import type { Step } from '@millrace/graph/plan/plan';
import type { PlanIndex } from '../engine/plans/plan-index.js';

/** A node of one or both runs, with its step in the plan of each. */
export interface NodePair {
  /** Position among all nodes of both runs, by name. */
  position: number;
  node: string;
  label: string;
  a: Step | null;
  b: Step | null;
}

/** Matches the nodes of two plans by their names. Plans never change, so positions are the same in each request. */
export function matchNodes(a: PlanIndex, b: PlanIndex): NodePair[] {
  const [stepsOfA, stepsOfB] = [visibleSteps(a), visibleSteps(b)];
  const names = [...new Set([...stepsOfA.keys(), ...stepsOfB.keys()])].sort((one, other) => (one < other ? -1 : 1));
  return names.map((node, position) => {
    const [ofA, ofB] = [stepsOfA.get(node) ?? null, stepsOfB.get(node) ?? null];
    return { position, node, label: (ofB ?? ofA)?.label ?? node, a: ofA, b: ofB };
  });
}

const visibleSteps = (index: PlanIndex): Map<string, Step> =>
  new Map(index.plan.steps.filter((step) => !index.isHidden(step.index)).map((step) => [step.node, step]));
