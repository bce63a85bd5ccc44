import { checkNode } from '../check/check-node.js';
import { Problems, type Problem } from '../check/problem.js';
import { fieldOf, isRecord } from '../data/is-record.js';
import { type Modules, type ModuleVersion } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { type Level } from './level.js';
import { parseWorkflow } from './parse-workflow.js';
import { readLevel } from './read-level.js';

/** The module that a WORKFLOW node names in its `workflow` field. */
export interface Module {
  level: Level | null;
  /** Levels of modules inside of each other, this one included. */
  depth: number;
  isRecursive: boolean;
  /** The first problem in it, or in a module inside of it. */
  firstProblem: Problem | null;
}

/** Lists the keys of the modules that a version's data names, each once. Takes any data. */
export function listModules(data: unknown): string[] {
  const nodes = fieldOf(data, 'nodes');
  if (!isRecord(nodes)) return [];
  const keys = Object.values(nodes).flatMap((node) =>
    isRecord(node) && node['type'] === 'WORKFLOW' && typeof node['workflow'] === 'string' ? [node['workflow']] : [],
  );
  return [...new Set(keys)];
}

/**
 * Reads every module that `data` uses directly or indirectly, each once, inner ones first. `workflow` is the id of the
 * workflow that `data` belongs to. A module that contains that workflow, or itself, is recursive.
 */
export function readModules(data: unknown, modules: Modules, workflow: string | null): Map<string, Module> {
  const read = new Map<string, Module>();
  const reach = new Map<string, Set<string>>();
  for (const { key, isInCycle } of postOrder(data, modules)) {
    const inner = listModules(modules[key]?.data).filter((child) => Object.hasOwn(modules, child));
    const id = modules[key]?.workflow_id ?? '';
    const reached = new Set(inner.flatMap((child) => [modules[child]?.workflow_id ?? '', ...(reach.get(child) ?? [])]));
    reach.set(key, reached);
    const isRecursive =
      isInCycle || id === workflow || reached.has(id) || inner.some((child) => read.get(child)?.isRecursive ?? true);
    const depth = 1 + Math.max(0, ...inner.map((child) => read.get(child)?.depth ?? 0));
    read.set(key, {
      depth,
      isRecursive,
      ...(isRecursive ? { level: null, firstProblem: null } : readModule(modules[key], read)),
    });
  }
  return read;
}

function readModule(
  module: ModuleVersion | undefined,
  read: Map<string, Module>,
): Pick<Module, 'level' | 'firstProblem'> {
  const errors = new Problems();
  const parsed = parseWorkflow(module?.data, errors);
  const inner = (key: string) => read.get(key)?.level ?? null;
  const level = parsed === null ? null : readLevel(parsed, inner, errors, module ?? {});
  for (const node of level?.nodes.values() ?? []) {
    checkNode(node, errors, new Problems());
    if (node.node.type !== 'WORKFLOW' || node.module !== null) continue;
    const innerProblem = read.get(node.node.workflow ?? '')?.firstProblem;
    const message = `Module ${showName(node.name)} wraps a workflow that does not exist.`;
    errors.add(innerProblem ?? { code: 'unknown_module', message, node: node.name });
  }
  return { level, firstProblem: errors.list()[0] ?? null };
}

/** Depth first, without recursion because nothing limits how many modules a hostile caller chains. */
function* postOrder(data: unknown, modules: Modules): Generator<{ key: string; isInCycle: boolean }> {
  const state = new Map<string, 'open' | 'done'>();
  const inCycle = new Set<string>();
  const listKnown = (inner: unknown): string[] => listModules(inner).filter((key) => Object.hasOwn(modules, key));
  const stack = listKnown(data).map((key) => ({ key, isLeaving: false }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { key, isLeaving } = next;
    if (isLeaving) {
      state.set(key, 'done');
      yield { key, isInCycle: inCycle.has(key) };
      continue;
    }
    if (state.has(key)) continue;
    state.set(key, 'open');
    stack.push({ key, isLeaving: true });
    for (const child of listKnown(modules[key]?.data)) {
      if (state.get(child) === 'open') inCycle.add(child);
      else if (!state.has(child)) stack.push({ key: child, isLeaving: false });
    }
  }
}
