import { analyseWorkflow, type Analysis } from '../check/analyse-workflow.js';
import { InvalidWorkflowError } from '../check/problem.js';
import { namedOutputs } from '../connect/module-ports.js';
import type { Modules } from '../data/workflow-data.js';
import type { Level } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { listPlanVariables } from '../variables/list-plan-variables.js';
import { findOutputStep } from './find-bound-values.js';
import { fuseSegments } from './fuse-segments.js';
import type { Plan, PlanFormat, PlanPrimitive, Segment, Step } from './plan.js';

/**
 * Compiles a version's data into a plan; `modules` is as for `validateWorkflow`. The order of keys and connections in the
 * data has no effect on the plan.
 * @throws InvalidWorkflowError if validation finds an error
 */
export function compilePlan(data: unknown, modules: Modules): Plan {
  const { errors, expanded } = analyseWorkflow(data, modules, null);
  if (!errors.isEmpty || expanded === null) throw new InvalidWorkflowError(errors.list());
  const { level, expansion } = expanded;
  const { steps, segments } = fuseSegments(expansion);
  const primitives = sortPrimitives(level, expansion.primitives);
  return {
    format: findFormat({ steps, segments, primitives }),
    steps,
    segments,
    scopes: expansion.scopes,
    primitives,
    outputs: findOutputs(expanded),
    widest: measureWidth(segments),
  };
}

/** The lowest format in which a plan means the same, so that plans which use nothing new keep their bytes. */
export function findFormat({
  steps,
  segments,
  primitives,
}: Pick<Plan, 'steps' | 'segments' | 'primitives'>): PlanFormat {
  if (steps.some(({ fleet, labels }) => fleet !== undefined || labels !== undefined)) return 4;
  const isNew = ({ onError, when, program }: Step): boolean =>
    onError !== undefined || when !== undefined || program.kind === 'approval';
  if (steps.some(isNew) || segments.some(({ needs }) => needs.some(({ ordersOnly }) => ordersOnly))) return 3;
  return listPlanVariables({ steps, primitives }).some(({ space }) => space !== null) ? 2 : 1;
}

function sortPrimitives(level: Level, used: Map<string, PlanPrimitive>): Record<string, PlanPrimitive> {
  const all = new Map(used);
  for (const { id, type, label, value, isNamed } of level.primitives.values())
    all.set(id, { type, label: isNamed ? label : '', value });
  return Object.fromEntries([...all].sort(([a], [b]) => compareNames(a, b)));
}

function findOutputs({ level, context }: NonNullable<Analysis['expanded']>): Plan['outputs'] {
  return namedOutputs(level).flatMap(({ label, output }) => {
    const result = context.results.get(output.node);
    const step =
      result?.kind === 'module'
        ? findOutputStep(result, output.innerPort ?? '')
        : result?.kind === 'step'
          ? result.step
          : null;
    return step === null ? [] : [{ label, step }];
  });
}

/**
 * Returns the greatest number of segments that can run at the same time; null if a scope makes it unbounded. Partitions
 * the segments into chains: by Dilworth's theorem, no more segments can run at once than there are chains. The greedy
 * partition may have a chain too many, which is harmless because only ready segments run.
 */
function measureWidth(segments: Segment[]): number | null {
  if (segments.some((segment) => segment.scope !== null)) return null;
  const continued = new Set<number>();
  let chains = 0;
  for (const segment of segments) {
    const predecessor = segment.needs.find((need) => !continued.has(need.segment));
    if (predecessor === undefined) chains += 1;
    else continued.add(predecessor.segment);
  }
  return chains;
}
