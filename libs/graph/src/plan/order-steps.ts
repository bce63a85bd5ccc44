import { type Level, type LevelNode } from '../parse/level.js';
import { bindCondition, joinConditions } from './bind-condition.js';
import { type Condition } from './condition.js';
import { reserveBindings, type Expansion, type LevelContext, type NodeResult, type StepDraft } from './expansion.js';

/** The steps of one node: those from `from` up to, but without, `to`. */
interface StepRange {
  from: number;
  to: number;
}

/**
 * Adds a node's order connections and its condition to its steps. Of a module that is not distributed, the first steps
 * follow the order, and each step that would otherwise run gets the condition. All other nodes have one first step.
 */
export function orderSteps(
  target: LevelNode,
  range: StepRange,
  level: Level,
  context: LevelContext,
  expansion: Expansion,
): void {
  const sources = [...target.after].flatMap((name) => findLastSteps(context.results.get(name), expansion));
  const isOpen = target.node.type === 'WORKFLOW' && !target.node.distribution;
  const first = isOpen ? findFirstSteps(range, expansion) : range.to > range.from ? [range.from] : [];
  if (!reserveBindings(expansion, sources.length * first.length)) return;
  const result = context.results.get(target.name);
  if (first.length === 0 && result?.kind === 'module') result.last = sources;
  for (const step of first) for (const source of sources) addOrder(source, step, expansion);
  if (target.condition === null) return;
  const conditional = isOpen ? findUncoveredSteps(range, expansion) : first;
  const conditions = new Map<number | null, Condition | null>();
  for (const index of conditional) {
    const step = expansion.steps[index];
    if (step === undefined || !reserveBindings(expansion, target.condition.weight)) return;
    const { scope } = step;
    const place = { target, level, context, expansion, scope };
    if (!conditions.has(scope)) conditions.set(scope, bindCondition(target.condition, place));
    const condition = conditions.get(scope) ?? null;
    if (condition !== null) addCondition(condition, step, expansion);
  }
}

function addCondition(condition: Condition, step: StepDraft, expansion: Expansion): void {
  step.when = joinConditions(condition, step.when);
  for (const source of condition.steps) addOrder(source, step.index, expansion);
}

function addOrder(source: number, step: number, expansion: Expansion): void {
  const orders = expansion.orders.get(step);
  if (orders === undefined) expansion.orders.set(step, new Set([source]));
  else orders.add(source);
}

/** The steps after whose end a node has ended. For a module without steps, those that end before it. */
function findLastSteps(result: NodeResult | undefined, expansion: Expansion): number[] {
  if (result === undefined) return [];
  if (result.kind === 'step') return [result.step];
  if (result.kind === 'splitter') return [expansion.scopes[result.scope]?.split ?? 0];
  if (result.last !== undefined) return result.last;
  const { from, to } = result;
  const consumed = new Set(rangeOf(result).flatMap((step) => listPredecessors(step, expansion)));
  result.last = rangeOf({ from, to }).filter((step) => !consumed.has(step));
  return result.last;
}

function findFirstSteps({ from, to }: StepRange, expansion: Expansion): number[] {
  const isInside = (step: number): boolean => step >= from && step < to;
  return rangeOf({ from, to }).filter((step) => !listPredecessors(step, expansion).some(isInside));
}

const rangeOf = ({ from, to }: StepRange): number[] => Array.from({ length: to - from }, (_, at) => from + at);

/** The steps that must end before a step, for whatever reason. */
function listPredecessors(index: number, expansion: Expansion): number[] {
  const step = expansion.steps[index];
  const sources = (step?.inputs ?? []).flatMap(({ binding }) => (binding.from === 'step' ? [binding.step] : []));
  const split = step?.scope == null ? undefined : expansion.scopes[step.scope]?.split;
  return [...sources, ...(split === undefined ? [] : [split]), ...(expansion.orders.get(index) ?? [])];
}

/**
 * Finds the steps of a module that would run although its condition is false. Any other step has a parameter that takes
 * data from skipped steps only, or is in a scope whose split is skipped, so the engine skips it as well. A step that gathers
 * also runs if there is nothing to gather.
 */
function findUncoveredSteps({ from, to }: StepRange, expansion: Expansion): number[] {
  const isInside = (step: number | undefined): boolean => step !== undefined && step >= from && step < to;
  return rangeOf({ from, to }).filter((index) => {
    const step = expansion.steps[index];
    if (step?.scope != null && isInside(expansion.scopes[step.scope]?.split)) return false;
    const params = new Map<string, boolean>();
    for (const { param, binding } of step?.inputs ?? []) {
      const fromInside = binding.from === 'step' && !binding.gather && isInside(binding.step);
      params.set(param, fromInside && params.get(param) !== false);
    }
    return ![...params.values()].includes(true);
  });
}
