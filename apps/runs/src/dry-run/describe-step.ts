import type { z } from 'zod';
import type { plannedStep } from '@millrace/contracts/runs/dry-run';
import type { Program, Step } from '@millrace/graph/plan/plan';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import type { CacheForecast } from './cache-forecaster.js';
import type { StepHistory } from './read-history.js';

type PlannedStep = z.input<typeof plannedStep>;

/** Characters of all steps in one response, which a message of the broker can hold. */
const MAX_CHARACTERS = 600 * 1024;
/** Names of nodes that one step lists. */
const MAX_AFTER = 50;
const MAX_RUNNER = 200;

interface Findings {
  cache: CacheForecast;
  children: number | null;
  history: StepHistory | undefined;
}

export function describeStep(plan: PlanIndex, step: Step, { cache, children, history }: Findings): PlannedStep {
  return {
    ...{ node: step.node, label: step.label },
    // A hidden split is not listed.
    type: step.type === 'SPLIT' ? 'SPLITTER' : step.type,
    runner: describeRunner(step.program).slice(0, MAX_RUNNER),
    after: listBefore(plan, step),
    ...(step.when && { condition: step.when.text }),
    ...{ children, cache },
    estimate: history
      ? { duration_ms: Math.round(history.durationMs), execution_units: history.units, runs: history.runs }
      : null,
  };
}

function describeRunner(program: Program): string {
  if (program.kind === 'script') return program.language;
  if (program.kind === 'command') return program.image ?? program.command[0] ?? '';
  return program.kind;
}

/** The nodes that end before a step: those before it in its segment, or those of the segments that it needs. */
function listBefore(plan: PlanIndex, step: Step): string[] {
  const { steps, needs } = plan.segment(step.segment);
  const position = steps.indexOf(step.index);
  const before =
    position > 0
      ? [plan.step(steps[position - 1] ?? -1)]
      : needs.map(({ segment }) => plan.step(plan.segment(segment).steps.at(-1) ?? -1));
  const names = before.map((other) => other.node).filter((node) => node !== step.node);
  // A distributed node also needs its hidden split, which has its name, and the nodes before that.
  const split = step.scope === null ? null : plan.splitSegmentOf(step.scope);
  const hidden =
    split !== null && plan.isHidden(plan.segment(split).steps[0] ?? -1) && plan.steps(split)[0]?.node === step.node;
  const beforeSplit = hidden && split !== null ? listBefore(plan, plan.step(plan.segment(split).steps[0] ?? -1)) : [];
  return [...new Set([...names, ...beforeSplit])].slice(0, MAX_AFTER);
}

/** Leaves out steps that would make the response too large. */
export function limitSteps(steps: PlannedStep[]): { steps: PlannedStep[]; steps_omitted: number } {
  let characters = 0;
  const end = steps.findIndex((step) => (characters += JSON.stringify(step).length) > MAX_CHARACTERS);
  return end === -1 ? { steps, steps_omitted: 0 } : { steps: steps.slice(0, end), steps_omitted: steps.length - end };
}
