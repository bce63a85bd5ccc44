import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import type { Problem } from '@millrace/graph/check/problem';
import { fieldOf, isRecord } from '@millrace/graph/data/is-record';
import { showName } from '@millrace/graph/names/check-name';
import { listModules } from '@millrace/graph/parse/read-modules';
import { hasVariableReferences } from './has-variable-references.js';
import type { LoadedModules } from './load-modules.js';

type Modules = LoadedModules['modules'];

/**
 * Finds modules of other spaces that the caller may read but not run, and that take variables of their space. In a
 * workflow of their own the caller could run such a module with inputs of their choice, and so use secrets that they may
 * not use. A published version is meant to be used by everybody in the vault.
 * @param former modules that the workflow contained already, which may stay
 */
export function findForbiddenModules(
  data: unknown,
  modules: Modules,
  { space, caller, former }: { space: string; caller: Caller; former: readonly string[] },
): Problem[] {
  const nodes = fieldOf(data, 'nodes');
  return Object.entries(isRecord(nodes) ? nodes : {}).flatMap(([node, written]) => {
    const key = fieldOf(written, 'workflow');
    if (fieldOf(written, 'type') !== 'WORKFLOW' || typeof key !== 'string' || former.includes(key)) return [];
    const module = Object.hasOwn(modules, key) ? modules[key] : undefined;
    if (!module || module.isPublished || module.space === space || canRun(caller, module.space)) return [];
    if (!hasVariableReferences(listModuleData(module, modules))) return [];
    return [
      {
        code: 'unknown_module',
        message: `module ${showName(node)} takes secret variables of its space, in which you may not run workflows`,
        node,
        hint: 'use a published version of it, or get the role "execute" in its space',
      },
    ];
  });
}

/** The data of a module and of the modules of the same space inside it. */
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
