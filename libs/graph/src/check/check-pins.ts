import { fieldOf, isRecord } from '../data/is-record.js';
import { type Modules, type ModuleVersion } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { type Problem, type Problems } from './problem.js';

export interface Pinning {
  /** Space of the workflow that the data belongs to. */
  space: string;
  /** Whether a module of another space must be pinned; otherwise it is only a warning. */
  required: boolean;
}

/**
 * Checks that modules of other spaces are pinned to a version. The editors of another space could otherwise change what
 * a run of this workflow executes. Whoever resolves the modules freezes those inside a pinned one.
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
    if (isPinned(key, module)) continue;
    (required ? errors : warnings).add(unpinned(name, module));
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
