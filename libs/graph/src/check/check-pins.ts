import { fieldOf, isRecord } from '../data/is-record.js';
import { type Modules, type ModuleVersion } from '../data/workflow-data.js';
import { showName } from '../names/check-name.js';
import { type Problem, type Problems } from './problem.js';

export interface PinningPolicy {
  /** Space of the workflow that the data belongs to. */
  space: string;
  /** Whether a module of another space must be pinned; otherwise it is only a warning. */
  required: boolean;
}

/**
 * Checks that modules of other spaces are pinned to a version. The editors of another space could otherwise change what
 * a run of this workflow executes. The caller that resolves the modules freezes the modules inside a pinned one.
 */
export function checkPins(
  data: unknown,
  modules: Modules,
  { space, required }: PinningPolicy,
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
    (required ? errors : warnings).add(toProblem(name, module));
  }
}

/** Whether a module's key names one version. Otherwise it names a workflow, whose latest version is used. */
const isPinned = (key: string, { workflow_id }: ModuleVersion): boolean =>
  key.toLowerCase() !== workflow_id.toLowerCase();

function toProblem(name: string, { version }: ModuleVersion): Problem {
  return {
    code: 'unpinned_module',
    message: `Module ${showName(name)} belongs to another space and is not pinned to a version, so the editors of that space can change what it runs.`,
    node: name,
    path: `nodes.${name}.workflow`,
    hint:
      version === undefined
        ? 'Set `workflow` to the id of one of its versions.'
        : `Set \`workflow\` to "${version}", the id of its latest version.`,
  };
}
