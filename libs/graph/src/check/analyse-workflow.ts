import { MAX_CONNECTIONS, MAX_NESTING, MAX_STEPS, type Modules, type WorkflowData } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { suggestName } from '../names/suggest-name.js';
import { type Level } from '../parse/level.js';
import { parseWorkflow } from '../parse/parse-workflow.js';
import { readLevel } from '../parse/read-level.js';
import { readModules, type Module } from '../parse/read-modules.js';
import { expandLevel } from '../plan/expand-level.js';
import { type Expansion, type LevelContext } from '../plan/expansion.js';
import { NO_FAILURE_RULE } from '../plan/failure-rule.js';
import { ANYWHERE } from '../plan/placement.js';
import { checkNode } from './check-node.js';
import { checkUnusedNodes } from './check-unused-nodes.js';
import { Problems } from './problem.js';

const UNKNOWN_MODULE_HINT = 'Set `workflow` to the id of a workflow that you may read, or of one of its versions.';
const SIZE_HINT = 'Use fewer modules, or smaller ones.';

export interface Analysis {
  errors: Problems;
  warnings: Problems;
  /** The workflow without its modules' nodes; null if its shape or its order is wrong. */
  level: Level | null;
  /** Nodes that cannot run because of an error in their own record. */
  brokenNodes: Set<string>;
  /** The workflow with its modules' nodes in place; null if errors prevent that. */
  expanded: { level: Level; context: LevelContext; expansion: Expansion } | null;
}

/** Reads, checks and expands a workflow. `validateWorkflow` reports its result, `compilePlan` builds a plan from it. */
export function analyseWorkflow(data: unknown, modules: Modules, workflow: string | null): Analysis {
  const none = { level: null, brokenNodes: new Set<string>(), expanded: null };
  const analysis: Analysis = { errors: new Problems(), warnings: new Problems(), ...none };
  const { errors, warnings } = analysis;
  const parsed = parseWorkflow(data, errors);
  if (parsed === null) return analysis;
  const read = readModules(parsed, modules, workflow);
  checkModules(parsed, read, errors);
  const level = readLevel(parsed, (key) => read.get(key)?.level ?? null, errors, {});
  if (level === null) return analysis;
  const brokenNodes = checkNodes(level, errors, warnings);
  if (!checkExpandedSize(level, errors)) return analysis;
  checkUnusedNodes(level, warnings);
  const checked = { ...analysis, level, brokenNodes };
  if ([...read.values()].some((module) => module.level === null || module.depth > MAX_NESTING)) return checked;
  const context: LevelContext = {
    ...{ prefix: '', space: null, author: null, moduleScope: null },
    ...{ failure: NO_FAILURE_RULE, placement: ANYWHERE, boundPrimitives: new Map(), results: new Map() },
  };
  const orders: Expansion['orders'] = new Map();
  const expansion: Expansion = { steps: [], scopes: [], primitives: new Map(), orders, bindingCount: 0, errors };
  expandLevel(level, context, expansion);
  return { ...checked, expanded: { level, context, expansion } };
}

function checkNodes(level: Level, errors: Problems, warnings: Problems): Set<string> {
  const brokenNodes = new Set<string>();
  for (const target of level.nodes.values()) {
    const errorsBefore = errors.count;
    checkNode(target, errors, warnings);
    const hasNoModule = target.node.type === 'WORKFLOW' && target.module === null;
    if (errors.count > errorsBefore || hasNoModule) brokenNodes.add(target.name);
  }
  return brokenNodes;
}

function checkModules(data: WorkflowData, read: Map<string, Module>, errors: Problems): void {
  for (const [name, node] of Object.entries(data.nodes ?? {})) {
    if (node.type !== 'WORKFLOW') continue;
    const key = node.workflow ?? '';
    const module = read.get(key);
    const subject = `Module ${showName(name)}`;
    if (module === undefined) {
      const message =
        key === ''
          ? `${subject} has no \`workflow\`.`
          : `${subject} wraps workflow ${showName(key)}, which does not exist.`;
      errors.add({ code: 'unknown_module', message, node: name, hint: UNKNOWN_MODULE_HINT }, () =>
        suggestName(key, read.keys()),
      );
    } else if (module.isRecursive) {
      errors.add({
        code: 'module_recursion',
        message: `${subject} contains itself, or the workflow that it is part of.`,
        node: name,
        hint: 'Wrap another workflow, or remove this one from the workflow that it wraps.',
      });
    } else if (module.depth > MAX_NESTING) {
      const message = `${subject} has ${module.depth} levels of nested modules; at most ${MAX_NESTING} are allowed.`;
      const hint = 'Wrap a workflow with fewer modules inside of each other.';
      errors.add({ code: 'nesting_too_deep', message, node: name, hint });
    } else if (module.firstProblem !== null) {
      const { message, code, hint } = module.firstProblem;
      errors.add({
        code: 'invalid_module',
        message: `${subject} wraps a workflow that is not valid (${code}): ${message}`,
        node: name,
        hint: hint ?? 'Open that workflow and validate it.',
      });
    }
  }
}

function checkExpandedSize({ stepCount, connectionCount }: Level, errors: Problems): boolean {
  if (stepCount > MAX_STEPS) {
    const message = `The workflow has ${stepCount} steps including those of its modules; at most ${MAX_STEPS} are allowed.`;
    errors.add({ code: 'too_large', message, hint: SIZE_HINT });
  }
  if (connectionCount > MAX_CONNECTIONS) {
    const message = `The workflow has ${connectionCount} connections including those of its modules; at most ${MAX_CONNECTIONS} are allowed.`;
    errors.add({ code: 'too_large', message, hint: SIZE_HINT });
  }
  return stepCount <= MAX_STEPS && connectionCount <= MAX_CONNECTIONS;
}
