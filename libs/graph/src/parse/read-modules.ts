import { checkNode } from '../check/check-node.js';
import { Problems, type Problem } from '../check/problem.js';
import { fieldOf, isRecord } from '../data/is-record.js';
import { type Modules, type ModuleVersion } from '../data/workflow-data.js';
import { type Level } from './level.js';
import { parseWorkflow } from './parse-workflow.js';
import { readLevel } from './read-level.js';

/** What a WORKFLOW node's key leads to. */
export interface Module {
  level: Level | null;
  /** How many modules lie inside each other, this one included. */
  height: number;
  recursive: boolean;
  /** First thing wrong in it, or in a module inside of it. */
  problem: Problem | null;
}

/** Keys of the modules that a version's data names, each once; reads any data without complaint. */
export function listModules(data: unknown): string[] {
  const nodes = fieldOf(data, 'nodes');
  if (!isRecord(nodes)) return [];
  const keys = Object.values(nodes).flatMap((node) =>
    isRecord(node) && node['type'] === 'WORKFLOW' && typeof node['workflow'] === 'string' ? [node['workflow']] : [],
  );
  return [...new Set(keys)];
}

/**
 * Reads every module that `data` reaches, each once, inner ones first. `workflow` is the id of the workflow that `data`
 * belongs to: a module that leads back to it, or to itself, is recursive.
 */
export function readModules(data: unknown, modules: Modules, workflow: string | null): Map<string, Module> {
  const read = new Map<string, Module>();
  const reach = new Map<string, Set<string>>();
  for (const { key, returns } of postOrder(data, modules)) {
    const inner = listModules(modules[key]?.data).filter((child) => Object.hasOwn(modules, child));
    const id = modules[key]?.workflow_id ?? '';
    const reached = new Set(inner.flatMap((child) => [modules[child]?.workflow_id ?? '', ...(reach.get(child) ?? [])]));
    reach.set(key, reached);
    const recursive =
      returns || id === workflow || reached.has(id) || inner.some((child) => read.get(child)?.recursive ?? true);
    const height = 1 + Math.max(0, ...inner.map((child) => read.get(child)?.height ?? 0));
    read.set(key, {
      height,
      recursive,
      ...(recursive ? { level: null, problem: null } : readModule(modules[key], read)),
    });
  }
  return read;
}

function readModule(module: ModuleVersion | undefined, read: Map<string, Module>): Pick<Module, 'level' | 'problem'> {
  const errors = new Problems();
  const parsed = parseWorkflow(module?.data, errors);
  const inner = (key: string) => read.get(key)?.level ?? null;
  const level = parsed === null ? null : readLevel(parsed, inner, errors, module ?? {});
  for (const node of level?.nodes.values() ?? []) {
    checkNode(node, errors, new Problems());
    if (node.node.type !== 'WORKFLOW' || node.module !== null) continue;
    const wrong = read.get(node.node.workflow ?? '')?.problem;
    errors.add(
      wrong ?? { code: 'unknown_module', message: `module ${node.name} wraps nothing that is known`, node: node.name },
    );
  }
  return { level, problem: errors.list()[0] ?? null };
}

/** Depth first without recursion, for nothing limits how many modules a hostile caller chains. */
function* postOrder(data: unknown, modules: Modules): Generator<{ key: string; returns: boolean }> {
  const state = new Map<string, 'open' | 'done'>();
  const returning = new Set<string>();
  const known = (of: unknown): string[] => listModules(of).filter((key) => Object.hasOwn(modules, key));
  const stack = known(data).map((key) => ({ key, leave: false }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { key, leave } = next;
    if (leave) {
      state.set(key, 'done');
      yield { key, returns: returning.has(key) };
      continue;
    }
    if (state.has(key)) continue;
    state.set(key, 'open');
    stack.push({ key, leave: true });
    for (const child of known(modules[key]?.data)) {
      if (state.get(child) === 'open') returning.add(child);
      else if (!state.has(child)) stack.push({ key: child, leave: false });
    }
  }
}
