import { analyseWorkflow, type Analysis } from '../check/analyse-workflow.js';
import { InvalidWorkflowError } from '../check/problem.js';
import { namedOutputs } from '../connect/module-ports.js';
import { type Modules } from '../data/workflow-data.js';
import { type Level } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { planVariables } from '../variables/list-plan-variables.js';
import { outputStep } from './find-bound-values.js';
import { fuseSegments } from './fuse-segments.js';
import { countWidest } from './measure-width.js';
import { type Plan, type PlanPrimitive } from './plan.js';

/**
 * Compiles a version's data into a plan; `modules` is as for `validateWorkflow`. The plan depends on what the data says
 * alone, not on the order of its keys or connections. Throws `InvalidWorkflowError` where validation finds an error.
 */
export function compilePlan(data: unknown, modules: Modules): Plan {
  const { errors, whole } = analyseWorkflow(data, modules, null);
  if (!errors.none || whole === null) throw new InvalidWorkflowError(errors.list());
  const { level, expansion } = whole;
  const { steps, segments } = fuseSegments(expansion.steps, expansion.scopes);
  const primitives = sortPrimitives(level, expansion.primitives);
  return {
    format: planVariables({ steps, primitives }).some(({ space }) => space !== null) ? 2 : 1,
    steps,
    segments,
    scopes: expansion.scopes,
    primitives,
    outputs: findOutputs(whole),
    widest: countWidest(segments),
  };
}

function sortPrimitives(level: Level, used: Map<string, PlanPrimitive>): Record<string, PlanPrimitive> {
  const all = new Map(used);
  for (const { id, type, label, value, named } of level.primitives.values())
    all.set(id, { type, label: named ? label : '', value });
  return Object.fromEntries([...all].sort(([a], [b]) => compareNames(a, b)));
}

function findOutputs({ level, frame }: NonNullable<Analysis['whole']>): Plan['outputs'] {
  return namedOutputs(level).flatMap(({ label, output }) => {
    const result = frame.results.get(output.node);
    const step =
      result?.kind === 'module' ? outputStep(result, output.inner ?? '') : result?.kind === 'step' ? result.step : null;
    return step === null ? [] : [{ label, step }];
  });
}
