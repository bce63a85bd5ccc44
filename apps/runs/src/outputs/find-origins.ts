import type { Plan, StepInput } from '@millrace/graph/plan/plan';

/**
 * The steps of some nodes, and all steps whose outputs get into theirs: directly, through other steps, or as the items of a
 * distribution. A step that only has to end first is none of them.
 * @returns their indexes, ascending
 */
export function findOrigins({ steps, scopes }: Pick<Plan, 'steps' | 'scopes'>, nodes: readonly { node: string }[]) {
  const names = new Set(nodes.map(({ node }) => node));
  const found = new Set(steps.filter(({ node }) => names.has(node)).map(({ index }) => index));
  // Steps are in topological order, so the origins of a step come before it.
  for (const step of [...steps].reverse()) {
    if (!found.has(step.index)) continue;
    const origins = step.inputs.map(originOf);
    const split = step.scope === null ? undefined : scopes[step.scope]?.split;
    for (const origin of [...origins, split]) if (origin !== undefined) found.add(origin);
  }
  return [...found].sort((a, b) => a - b);
}

const originOf = ({ binding }: StepInput): number | undefined => (binding.from === 'step' ? binding.step : undefined);
