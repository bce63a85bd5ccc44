import { type Level, type LevelNode } from '../parse/level.js';
import { compareNames } from '../parse/order-nodes.js';
import { scopeOf } from '../variables/variable-space.js';
import { bindInputs, bindModule, splitInputs, stepInputs, type BoundInput } from './bind-inputs.js';
import { buildProgram } from './build-program.js';
import { type Draft, type Expansion, type Frame, type Result } from './expansion.js';
import { type Scope } from './plan.js';

/**
 * Turns a level into steps, in order, modules put in place, and finds which scope each step is in. Two distributions
 * that meet are reported in `into.errors`.
 */
export function expandLevel(level: Level, frame: Frame, into: Expansion): void {
  for (const target of level.nodes.values()) {
    const result = expandNode(target, level, frame, into);
    if (result !== null) frame.results.set(target.name, result);
  }
}

function expandNode(target: LevelNode, level: Level, frame: Frame, into: Expansion): Result | null {
  const { distribution, type } = target.node;
  const bound = bindInputs(target, level, frame, into);
  const joined = joinedScopes(target, bound, frame, into);
  if (type === 'SPLITTER') {
    return {
      kind: 'splitter',
      scope: addSplit(target, type, { mode: 'line', splits: null }, splitInputs(bound), frame, into),
    };
  }
  if (!distribution) return addNode(target, bound, joined[0] ?? null, frame, into);
  const { input, mode, splits } = distribution;
  const shared = bound.filter(({ param }) => param.name === input);
  const rule = { mode, splits: mode === 'batch' ? (splits ?? 1) : null };
  const scope = addSplit(target, 'SPLIT', rule, splitInputs(shared), frame, into);
  const rest = bound.filter((one) => !shared.includes(one));
  return addNode(target, [...rest, ...shareOf(target, shared, scope)], scope, frame, into);
}

function addNode(
  target: LevelNode,
  bound: BoundInput[],
  scope: number | null,
  frame: Frame,
  into: Expansion,
): Result | null {
  if (target.node.type !== 'WORKFLOW') {
    const draft = { ...describe(target, frame), type: target.node.type, program: buildProgram(target), scope };
    return { kind: 'step', step: addStep(into, draft, stepInputs(bound)) };
  }
  if (target.module === null) return null;
  const results = new Map<string, Result>();
  const given = bindModule(target.module, bound, into);
  const { space, author } = target.module;
  const prefix = `${frame.prefix}${target.name}/`;
  const inner = { prefix, space, author, forced: scope, given, results };
  expandLevel(target.module, inner, into);
  return { kind: 'module', results, node: target };
}

/** The scopes that a node joins by what it receives: one at most, and none if it makes a scope of its own. */
function joinedScopes(target: LevelNode, bound: BoundInput[], frame: Frame, into: Expansion): number[] {
  const joined = new Set(
    bound.flatMap((input) => input.bounds.map((one) => one.scope)).filter((scope) => scope !== null),
  );
  if (frame.forced !== null) joined.add(frame.forced);
  const splits = target.node.type === 'SPLITTER' || Boolean(target.node.distribution);
  if (joined.size + (splits ? 1 : 0) > 1) reportMeeting(target, splits, [...joined], frame, into);
  return [...joined];
}

/** What each child gets of the distributed input, in the place where the only source of it would have stood. */
function shareOf(target: LevelNode, shared: BoundInput[], scope: number): BoundInput[] {
  const param = shared[0]?.param;
  if (param === undefined) return [];
  const bounds = shared.flatMap((one) => one.bounds);
  const directory = bounds.length === 1 ? (bounds[0]?.directory ?? param.name) : param.name;
  const type = param.type === 'FOLDER' && target.module === null ? 'FILE' : param.type;
  return [
    { param: { ...param, type }, bounds: [{ binding: { from: 'item', scope }, directory, scope, folder: false }] },
  ];
}

function addSplit(
  target: LevelNode,
  type: 'SPLITTER' | 'SPLIT',
  rule: Pick<Scope, 'mode' | 'splits'>,
  inputs: Draft['inputs'],
  frame: Frame,
  into: Expansion,
): number {
  const plain = { environment: {}, timeoutSeconds: null, network: false };
  const { space: _, ...described } = describe(target, frame);
  const split = addStep(into, { ...described, ...plain, type, program: { kind: 'split' }, scope: null }, inputs);
  const index = into.scopes.length;
  into.scopes.push({ index, ...rule, split });
  return index;
}

function addStep(into: Expansion, step: Omit<Draft, 'index' | 'inputs'>, inputs: Draft['inputs']): number {
  const { node, label, type, program, ...rest } = step;
  const index = into.steps.length;
  into.steps.push({ index, node, label, type, program, inputs, ...rest });
  return index;
}

function describe(
  target: LevelNode,
  { prefix, space }: Frame,
): Omit<Draft, 'index' | 'inputs' | 'type' | 'program' | 'scope'> {
  const environment = sortKeys({ ...target.node.container?.environment, ...target.node.script?.environment });
  return {
    node: prefix + target.name,
    label: target.label,
    environment,
    ...scopeOf(Object.values(environment), space),
    retries: target.node.retries ?? 0,
    timeoutSeconds: target.node.timeout_seconds ?? null,
    cache: target.node.cache ?? false,
    network: target.node.network ?? false,
    size: target.node.bee_type ?? 'small',
  };
}

const sortKeys = (record: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => compareNames(a, b)));

const MAX_NAMED = 3;

function reportMeeting(target: LevelNode, splits: boolean, scopes: number[], frame: Frame, into: Expansion): void {
  const node = frame.prefix + target.name;
  const first = scopes.slice(0, MAX_NAMED).map((scope) => into.steps[into.scopes[scope]?.split ?? -1]?.node ?? '?');
  const more = scopes.length > MAX_NAMED ? [`${scopes.length - MAX_NAMED} more`] : [];
  const names = [...first.map((name) => JSON.stringify(name)), ...more].join(' and ');
  const message = splits
    ? `node ${JSON.stringify(node)} distributes what ${names} has distributed already`
    : `node ${JSON.stringify(node)} is distributed twice, by ${names}`;
  const hint = 'gather first: connect the port "folder" to an input of type FOLDER';
  const port = target.node.distribution?.input ?? (splits ? 'multiple' : null);
  into.errors.add({ code: 'distribution_twice', message, node, hint, ...(port === null ? {} : { port }) });
}
