import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import type { Problem } from '@millrace/graph/check/problem';
import { fieldOf, isRecord } from '@millrace/graph/data/is-record';
import { showName } from '@millrace/graph/names/check-name';
import { listModules } from '@millrace/graph/parse/read-modules';
import type { LoadedModules } from './load-modules.js';
import { hasVariableReferences } from './load-names.js';

type Modules = LoadedModules['modules'];

/**
 * Finds modules of other spaces that the caller may read but not run, and that use secret variables of their space. In
 * a workflow of their own the caller could run such a module with any inputs, and so use secrets that they have no
 * access to. Published versions are exempt: everybody in the vault may use them.
 * @param latestModules modules that the latest version names; they stay permitted
 */
export function findForbiddenModules(
  data: unknown,
  modules: Modules,
  { space, caller, latestModules }: { space: string; caller: Caller; latestModules: readonly string[] },
): Problem[] {
  const nodes = fieldOf(data, 'nodes');
  return Object.entries(isRecord(nodes) ? nodes : {}).flatMap(([name, node]) => {
    const key = fieldOf(node, 'workflow');
    if (fieldOf(node, 'type') !== 'WORKFLOW' || typeof key !== 'string' || latestModules.includes(key)) return [];
    const module = Object.hasOwn(modules, key) ? modules[key] : undefined;
    if (!module || module.isPublished || module.space === space || canRun(caller, module.space)) return [];
    if (!hasVariableReferences(listModuleData(module, modules))) return [];
    return [
      {
        code: 'unknown_module',
        message: `Module ${showName(name)} uses secret variables of its space, in which you may not run workflows.`,
        node: name,
        hint: 'Use a published version of it, or get the role "execute" in its space.',
      },
    ];
  });
}

/** The data of a module and of the modules inside it that are in the same space. */
function listModuleData(module: Modules[string], modules: Modules): unknown[] {
  const inside = new Map<string, unknown>();
  const left = listModules(module.data);
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    const inner = Object.hasOwn(modules, key) ? modules[key] : undefined;
    if (!inner || inside.has(key) || inner.space !== module.space) continue;
    inside.set(key, inner.data);
    left.push(...listModules(inner.data));
  }
  return [module.data, ...inside.values()];
}

function canRun({ spaces }: Caller, space: string): boolean {
  if (spaces === 'all') return true;
  const role = spaces[space];
  return role !== undefined && hasSpaceRole(role, 'execute');
}
