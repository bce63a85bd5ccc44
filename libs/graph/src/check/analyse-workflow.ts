import { MAX_CONNECTIONS, MAX_NESTING, MAX_STEPS, type Modules, type WorkflowData } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Level } from '../parse/level.js';
import { parseWorkflow } from '../parse/parse-workflow.js';
import { readLevel } from '../parse/read-level.js';
import { readModules, type Module } from '../parse/read-modules.js';
import { expandLevel } from '../plan/expand-level.js';
import { type Expansion, type Frame } from '../plan/expansion.js';
import { checkNode } from './check-node.js';
import { checkUse } from './check-use.js';
import { Problems } from './problem.js';

const UNKNOWN_MODULE = 'set "workflow" to the id of a workflow that you may read, or of one of its versions';
const FEWER = 'use fewer modules, or smaller ones';

export interface Analysis {
  errors: Problems;
  warnings: Problems;
  /** The workflow itself, without what its modules become; null where its shape or order is wrong. */
  level: Level | null;
  /** Nodes that cannot run, for what they say of themselves is wrong. */
  stuck: Set<string>;
  /** Null where something is so wrong that nothing can be put together. */
  whole: { level: Level; frame: Frame; expansion: Expansion } | null;
}

/** Reads, checks and expands a workflow: what `validateWorkflow` reports on and `compilePlan` builds from. */
export function analyseWorkflow(data: unknown, modules: Modules, workflow: string | null): Analysis {
  const none = { level: null, stuck: new Set<string>(), whole: null };
  const analysis: Analysis = { errors: new Problems(), warnings: new Problems(), ...none };
  const { errors, warnings } = analysis;
  const parsed = parseWorkflow(data, errors);
  if (parsed === null) return analysis;
  const read = readModules(parsed, modules, workflow);
  checkModules(parsed, read, errors);
  const level = readLevel(parsed, (key) => read.get(key)?.level ?? null, errors, {});
  if (level === null) return analysis;
  const stuck = checkNodes(level, errors, warnings);
  if (!checkExpandedSize(level, errors)) return analysis;
  checkUse(level, warnings);
  const found = { ...analysis, level, stuck };
  if ([...read.values()].some((module) => module.level === null || module.height > MAX_NESTING)) return found;
  const frame: Frame = { prefix: '', space: null, author: null, forced: null, given: new Map(), results: new Map() };
  const expansion: Expansion = { steps: [], scopes: [], primitives: new Map(), bindings: 0, errors };
  expandLevel(level, frame, expansion);
  return { ...found, whole: { level, frame, expansion } };
}

function checkNodes(level: Level, errors: Problems, warnings: Problems): Set<string> {
  const stuck = new Set<string>();
  for (const target of level.nodes.values()) {
    const before = errors.count;
    checkNode(target, errors, warnings);
    const unwrapped = target.node.type === 'WORKFLOW' && target.module === null;
    if (errors.count > before || unwrapped) stuck.add(target.name);
  }
  return stuck;
}

function checkModules(data: WorkflowData, read: Map<string, Module>, errors: Problems): void {
  for (const [name, node] of Object.entries(data.nodes ?? {})) {
    if (node.type !== 'WORKFLOW') continue;
    const key = node.workflow ?? '';
    const module = read.get(key);
    const at = `module ${showName(name)}`;
    if (module === undefined) {
      const message =
        key === '' ? `${at} wraps no workflow` : `${at} wraps workflow ${showName(key)}, which does not exist`;
      errors.add({ code: 'unknown_module', message, node: name, hint: UNKNOWN_MODULE }, () =>
        suggestName(key, read.keys()),
      );
    } else if (module.recursive) {
      errors.add({
        code: 'module_recursion',
        message: `${at} contains itself, or the workflow that it stands in`,
        node: name,
        hint: 'wrap another workflow, or one from which this one is left out',
      });
    } else if (module.height > MAX_NESTING) {
      const message = `${at} nests modules ${module.height} deep; ${MAX_NESTING} are allowed`;
      const hint = 'wrap a workflow that uses fewer modules inside of each other';
      errors.add({ code: 'nesting_too_deep', message, node: name, hint });
    } else if (module.problem !== null) {
      const { message, code } = module.problem;
      errors.add({
        code: 'invalid_module',
        message: `${at} wraps a workflow that is not valid: ${message} (${code})`,
        node: name,
        hint: module.problem.hint ?? 'open that workflow and validate it',
      });
    }
  }
}

function checkExpandedSize({ steps, links }: Level, errors: Problems): boolean {
  if (steps > MAX_STEPS) {
    errors.add({
      code: 'too_large',
      message: `with its modules this comes to ${steps} steps; ${MAX_STEPS} are allowed`,
      hint: FEWER,
    });
  }
  if (links > MAX_CONNECTIONS) {
    errors.add({
      code: 'too_large',
      message: `with its modules this comes to ${links} connections; ${MAX_CONNECTIONS} are allowed`,
      hint: FEWER,
    });
  }
  return steps <= MAX_STEPS && links <= MAX_CONNECTIONS;
}
