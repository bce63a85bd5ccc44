import { showName } from './check-name.js';
import { fieldOf, isRecord } from './is-record.js';
import { type Problem, type Problems } from './problem.js';
import { listModules } from './read-modules.js';
import { type Modules, type ModuleVersion } from './workflow-data.js';

export interface Pinning {
  /** Space of the workflow that the data belongs to. */
  space: string;
  /** Whether a module of another space must be pinned; otherwise it is only a warning. */
  required: boolean;
}

/**
 * Checks that modules of other spaces are pinned to a version. The editors of another space could otherwise change what
 * a run of this workflow executes. A pinned module whose own modules are not pinned is a warning.
 */
export function checkPins(
  data: unknown,
  modules: Modules,
  { space, required }: Pinning,
  errors: Problems,
  warnings: Problems,
): void {
  const nodes = fieldOf(data, 'nodes');
  for (const [name, node] of Object.entries(isRecord(nodes) ? nodes : {})) {
    const key = fieldOf(node, 'workflow');
    if (fieldOf(node, 'type') !== 'WORKFLOW' || typeof key !== 'string' || !Object.hasOwn(modules, key)) continue;
    const module = modules[key];
    if (module?.space === undefined || module.space === space) continue;
    if (!isPinned(key, module)) (required ? errors : warnings).add(unpinned(name, module));
    else if (followsLatest(module, modules)) warnings.add(pinnedInPart(name));
  }
}

/** Whether the key of a module names one version, not a workflow whose latest version counts. */
const isPinned = (key: string, { workflow_id }: ModuleVersion): boolean =>
  key.toLowerCase() !== workflow_id.toLowerCase();

function unpinned(name: string, { version }: ModuleVersion): Problem {
  return {
    code: 'unpinned_module',
    message: `module ${showName(name)} belongs to another space and is not pinned to a version, so the editors of that space can change what it runs`,
    node: name,
    path: `nodes.${name}.workflow`,
    hint:
      version === undefined
        ? 'set "workflow" to the id of one of its versions'
        : `set "workflow" to "${version}", the id of its latest version`,
  };
}

function pinnedInPart(name: string): Problem {
  return {
    code: 'unpinned_module',
    message: `module ${showName(name)} belongs to another space and is pinned, but it contains a module that is not, so the editors of that space can change what it runs`,
    node: name,
    path: `nodes.${name}.workflow`,
    hint: 'pin the modules of that workflow to versions, and pin this module to the version saved then',
  };
}

/** Whether the version contains a module, at any depth, that is not pinned. */
function followsLatest(module: ModuleVersion, modules: Modules): boolean {
  const seen = new Set<string>();
  const left = listModules(module.data);
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    if (seen.has(key) || !Object.hasOwn(modules, key)) continue;
    seen.add(key);
    const inner = modules[key];
    if (inner === undefined) continue;
    if (!isPinned(key, inner)) return true;
    left.push(...listModules(inner.data));
  }
  return false;
}
