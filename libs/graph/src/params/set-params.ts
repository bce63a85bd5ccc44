import { analyseWorkflow } from '../check/analyse-workflow.js';
import { InvalidWorkflowError } from '../check/problem.js';
import { paramNames } from '../connect/find-param.js';
import { isRecord } from '../data/is-record.js';
import type { Modules } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import type { Level, LevelNode } from '../parse/level.js';

/** A value for a parameter; null removes the value, so that an input of a module has its default. */
export type ParamValue = string | number | boolean | null;
/** Values of parameters by node and parameter. */
export type ParamValues = Readonly<Record<string, Readonly<Record<string, ParamValue>>>>;

/** A parameter that cannot be set. */
export interface ParamProblem {
  node: string;
  /** Absent if the node does not exist. */
  param?: string;
  /** In words that follow the name of the field. */
  problem: string;
}

export class InvalidParamsError extends Error {
  constructor(readonly problems: readonly ParamProblem[]) {
    super(`${problems[0]?.node ?? ''} ${problems[0]?.problem ?? ''}`);
    this.name = 'InvalidParamsError';
  }
}

/**
 * Sets parameters of nodes in a workflow's data, as if they had been written there. `compilePlan` checks the values.
 * @throws InvalidParamsError for nodes and parameters that do not exist, and parameters that get their value from elsewhere
 * @throws InvalidWorkflowError if the connections of the workflow cannot be read
 */
export function setParams(data: unknown, modules: Modules, values: ParamValues): unknown {
  const { level, errors } = analyseWorkflow(data, modules, null);
  if (level === null || !isRecord(data) || !isRecord(data['nodes'])) throw new InvalidWorkflowError(errors.list());
  const nodes = { ...data['nodes'] };
  const problems: ParamProblem[] = [];
  for (const [name, params] of Object.entries(values)) {
    const target = level.nodes.get(name);
    if (target === undefined) problems.push({ node: name, problem: describeUnknownNode(level, name) });
    else {
      for (const param of Object.keys(params)) {
        const problem = findProblem(target, param);
        if (problem !== null) problems.push({ node: name, param, problem });
      }
      nodes[name] = withValues(nodes[name], target, params);
    }
  }
  if (problems.length > 0) throw new InvalidParamsError(problems);
  return { ...data, nodes };
}

function describeUnknownNode({ nodes }: Level, name: string): string {
  const module = nodes.get(name.split('/')[0] ?? '');
  if (name.includes('/') && module !== undefined && module.module !== null) {
    const inputs = paramNames(module).slice(0, 5).map(showName).join(', ');
    return `names a node inside of module ${showName(module.name)}; set an input of the module instead (${inputs || 'it has none'})`;
  }
  return `names no node of the run (got ${showName(name)}). ${suggestName(name, nodes.keys()) ?? ''}`.trimEnd();
}

function findProblem(target: LevelNode, param: string): string | null {
  const settable = listSettable(target);
  if (!settable.includes(param) && !paramNames(target).includes(param)) {
    if (settable.length === 0) return `names a parameter, but node ${showName(target.name)} has none that can be set`;
    const hint = suggestName(param, settable) ?? '';
    return `names no parameter of node ${showName(target.name)} (got ${showName(param)}). ${hint}`.trimEnd();
  }
  const connection = target.connections.find((candidate) => isSameInput(target, candidate.param, param));
  if (connection !== undefined) {
    const kind = connection.from === 'primitive' ? 'input' : 'node';
    return `is connected from ${kind} ${showName(connection.source)}, which determines its value`;
  }
  return settable.includes(param) ? null : 'takes a connection only, so it cannot be set';
}

/** Parameters that may have a value. A script has `file` and `folder` without declaring them, but only for connections. */
function listSettable(target: LevelNode): string[] {
  if (target.module !== null) return paramNames(target);
  if (target.node.type === 'SPLITTER' || target.node.type === 'APPROVAL') return [];
  return [...target.inputs.keys()].filter((key) => !key.includes('/'));
}

/** An input of a module has two names, its label and its id. */
function isSameInput({ module }: LevelNode, a: string, b: string): boolean {
  if (a === b || module === null) return a === b;
  const ports = module.inputs.get(b) ?? [];
  return module.inputs.get(a)?.some((primitive) => ports.includes(primitive)) ?? false;
}

function withValues(node: unknown, target: LevelNode, params: ParamValues[string]): unknown {
  if (!isRecord(node)) return node;
  const written = isRecord(node['inputs']) ? node['inputs'] : {};
  // A Map, so that no name is taken for a property of every object.
  const inputs = new Map(Object.entries(written));
  for (const [param, value] of Object.entries(params)) {
    const key = [...inputs.keys()].find((other) => isSameInput(target, other, param)) ?? param;
    const former = inputs.get(key);
    const type = target.module?.inputs.get(param)?.[0]?.type;
    inputs.set(key, { ...(type !== undefined && { type }), ...(isRecord(former) && former), value });
  }
  return { ...node, inputs: Object.fromEntries(inputs) };
}

/** Adds values to others. A later value of a parameter replaces the former one. */
export function mergeParams(former: ParamValues, values: ParamValues): ParamValues {
  const merged = new Map(Object.entries(former));
  for (const [node, params] of Object.entries(values)) merged.set(node, { ...merged.get(node), ...params });
  return Object.fromEntries(merged);
}
