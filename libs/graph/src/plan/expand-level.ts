import { type WorkflowNode } from '../data/workflow-data.js';
import { type Level, type LevelNode } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { variableSpace } from '../variables/substitute-variables.js';
import { bindInputs, bindModule, splitInputs, stepInputs, type BoundInput } from './bind-inputs.js';
import { buildProgram } from './build-program.js';
import { type StepDraft, type Expansion, type LevelContext, type NodeResult } from './expansion.js';
import { describeFailureRule, findFailureRule } from './failure-rule.js';
import { orderSteps } from './order-steps.js';
import { describePlacement, findPlacement } from './placement.js';
import { type Scope } from './plan.js';

/**
 * Converts a level and its modules into steps, in order, and determines each step's scope. Adds an error to
 * `expansion.errors` if two distributions meet in a node.
 */
export function expandLevel(level: Level, context: LevelContext, expansion: Expansion): void {
  for (const target of level.nodes.values()) {
    const from = expansion.steps.length;
    const result = expandNode(target, level, context, expansion);
    if (result !== null) context.results.set(target.name, result);
    // The hidden split of a distributed module is one of its steps.
    if (result?.kind === 'module') result.from = from;
    if (target.after.size > 0 || target.condition !== null)
      orderSteps(target, { from, to: expansion.steps.length }, level, context, expansion);
  }
}

function expandNode(target: LevelNode, level: Level, context: LevelContext, expansion: Expansion): NodeResult | null {
  const { distribution, type } = target.node;
  const bound = bindInputs(target, level, context, expansion);
  const joined = joinScopes(target, bound, context, expansion);
  if (type === 'SPLITTER') {
    return {
      kind: 'splitter',
      scope: addSplit(target, type, { mode: 'line', splits: null }, splitInputs(bound), context, expansion),
    };
  }
  if (!distribution) return addNode(target, bound, joined[0] ?? null, context, expansion);
  const { input, mode, splits } = distribution;
  const shared = bound.filter(({ param }) => param.name === input);
  const rule = { mode, splits: mode === 'batch' ? (splits ?? 1) : null };
  const scope = addSplit(target, 'SPLIT', rule, splitInputs(shared), context, expansion);
  const others = bound.filter((input) => !shared.includes(input));
  return addNode(target, [...others, ...toChildInput(target, shared, scope)], scope, context, expansion);
}

function addNode(
  target: LevelNode,
  bound: BoundInput[],
  scope: number | null,
  context: LevelContext,
  expansion: Expansion,
): NodeResult | null {
  if (target.node.type !== 'WORKFLOW') {
    const draft = { ...describeStep(target, context), type: target.node.type, program: buildProgram(target), scope };
    return { kind: 'step', step: addStep(expansion, draft, stepInputs(bound)) };
  }
  if (target.module === null) return null;
  const results = new Map<string, NodeResult>();
  const boundPrimitives = bindModule(target.module, bound, expansion);
  const { space, author } = target.module;
  const prefix = `${context.prefix}${target.name}/`;
  const failure = findFailureRule(target.node, context.failure);
  const placement = findPlacement(target.node, context.placement);
  const inner = { prefix, space, author, moduleScope: scope, failure, placement, boundPrimitives, results };
  const from = expansion.steps.length;
  expandLevel(target.module, inner, expansion);
  return { kind: 'module', results, node: target, from, to: expansion.steps.length };
}

/** Finds the scopes of a node's inputs. A valid node has at most one, and none if it starts a scope of its own. */
function joinScopes(target: LevelNode, bound: BoundInput[], context: LevelContext, expansion: Expansion): number[] {
  const joined = new Set(
    bound.flatMap((input) => input.values.map((value) => value.scope)).filter((scope) => scope !== null),
  );
  if (context.moduleScope !== null) joined.add(context.moduleScope);
  const splits = target.node.type === 'SPLITTER' || Boolean(target.node.distribution);
  if (joined.size + (splits ? 1 : 0) > 1) reportNestedDistribution(target, splits, [...joined], context, expansion);
  return [...joined];
}

/** The distributed input as each child receives it: one item, in the directory of the input's only source. */
function toChildInput(target: LevelNode, shared: BoundInput[], scope: number): BoundInput[] {
  const param = shared[0]?.param;
  if (param === undefined) return [];
  const values = shared.flatMap((input) => input.values);
  const directory = values.length === 1 ? (values[0]?.directory ?? param.name) : param.name;
  const type = param.type === 'FOLDER' && target.module === null ? 'FILE' : param.type;
  return [
    { param: { ...param, type }, values: [{ binding: { from: 'item', scope }, directory, scope, isFolder: false }] },
  ];
}

function addSplit(
  target: LevelNode,
  type: 'SPLITTER' | 'SPLIT',
  rule: Pick<Scope, 'mode' | 'splits'>,
  inputs: StepDraft['inputs'],
  context: LevelContext,
  expansion: Expansion,
): number {
  const defaults = { environment: {}, timeoutSeconds: null, network: false };
  const { space: _, failThreshold, ...described } = describeStep(target, context);
  // The threshold counts children, which the hidden split of a node does not have.
  const threshold = type === 'SPLIT' || failThreshold === undefined ? {} : { failThreshold };
  const split = addStep(
    expansion,
    { ...described, ...threshold, ...defaults, type, program: { kind: 'split' }, scope: null },
    inputs,
  );
  const index = expansion.scopes.length;
  expansion.scopes.push({ index, ...rule, split });
  return index;
}

function addStep(expansion: Expansion, step: Omit<StepDraft, 'index' | 'inputs'>, inputs: StepDraft['inputs']): number {
  const { node, label, type, program, ...rest } = step;
  const index = expansion.steps.length;
  expansion.steps.push({ index, node, label, type, program, inputs, ...rest });
  return index;
}

function describeStep(
  target: LevelNode,
  { prefix, space, failure, placement }: LevelContext,
): Omit<StepDraft, 'index' | 'inputs' | 'type' | 'program' | 'scope'> {
  // An approval runs no program, so the fields that describe how a program runs have no effect.
  const node: Partial<WorkflowNode> = target.node.type === 'APPROVAL' ? {} : target.node;
  const environment = sortKeys({ ...node.container?.environment, ...node.script?.environment });
  return {
    node: prefix + target.name,
    label: target.label,
    environment,
    ...variableSpace(Object.values(environment), space),
    retries: node.retries ?? 0,
    timeoutSeconds: node.timeout_seconds ?? null,
    cache: node.cache ?? false,
    network: node.network ?? false,
    size: node.bee_type ?? 'small',
    ...(target.node.type !== 'APPROVAL' && describePlacement(findPlacement(target.node, placement))),
    ...describeFailureRule(findFailureRule(target.node, failure)),
  };
}

const sortKeys = (record: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareNames(a, b)));

const MAX_LISTED_NAMES = 3;

function reportNestedDistribution(
  target: LevelNode,
  splits: boolean,
  scopes: number[],
  context: LevelContext,
  expansion: Expansion,
): void {
  const node = context.prefix + target.name;
  const first = scopes
    .slice(0, MAX_LISTED_NAMES)
    .map((scope) => expansion.steps[expansion.scopes[scope]?.split ?? -1]?.node ?? '?');
  const more = scopes.length > MAX_LISTED_NAMES ? [`${scopes.length - MAX_LISTED_NAMES} more`] : [];
  const names = [...first.map((name) => JSON.stringify(name)), ...more].join(' and ');
  const message = splits
    ? `Node ${JSON.stringify(node)} distributes data that ${names} already distributed.`
    : `Node ${JSON.stringify(node)} is distributed twice, by ${names}.`;
  const hint = 'Gather the items first: connect the port "folder" to an input of type FOLDER.';
  const port = target.node.distribution?.input ?? (splits ? 'multiple' : null);
  expansion.errors.add({ code: 'distribution_twice', message, node, hint, ...(port === null ? {} : { port }) });
}
