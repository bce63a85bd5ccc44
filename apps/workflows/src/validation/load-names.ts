import type { Caller } from '@millrace/contracts/kit/envelope';
import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import { listLibraryModules, type LibraryModules } from '@millrace/graph/check/check-library';
import { fieldOf } from '@millrace/graph/data/is-record';
import type { ModuleVersion } from '@millrace/graph/data/workflow-data';
import type { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { canEdit } from '../spaces/find-space.js';

const MAX_NAMESAKES = 1_000;

/** The library modules that data names by id, and modules with the name of a node, for hints. */
export async function loadLibraryNames(
  client: Database['client'],
  data: unknown,
  vault: string,
): Promise<LibraryModules> {
  const { ids, names } = listLibraryModules(data);
  if (ids.length === 0) return new Map();
  const visible = { OR: [{ vaultId: null }, { vaultId: vault }] };
  const select = { id: true, name: true } as const;
  const modules = await client.libraryModule.findMany({ where: { ...visible, id: { in: ids.filter(isId) } }, select });
  const found = new Map(modules.map(({ id, name }) => [id, name]));
  if (ids.every((id) => found.has(id))) return found;
  const namesakes = await client.libraryModule.findMany({
    where: { ...visible, name: { in: names } },
    select,
    take: MAX_NAMESAKES,
  });
  for (const { id, name } of namesakes) found.set(id, name);
  return found;
}

interface VariableNames {
  /** Names from the vault, the space and the caller: what a run has that the caller starts in the space. */
  variables: ReadonlySet<string>;
  /** Names that modules have, by their space. */
  moduleVariables: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Names of the variables that a workflow in the space and its modules have. It reads only spaces that the caller may
 * edit, because other users must not learn which variables exist. Null if the data mentions no variable, or if the
 * caller may not edit in the space.
 */
export async function loadVariableNames(
  client: Database['client'],
  data: unknown,
  modules: readonly Required<ModuleVersion>[],
  space: string,
  caller: Caller,
): Promise<VariableNames | null> {
  if (!canEdit(caller, space) || !hasVariableReferences([data, ...modules.map((module) => module.data)])) return null;
  const moduleSpaces = new Set(modules.map((module) => module.space).filter((id) => canEdit(caller, id)));
  const rows = await client.secretVariable.findMany({
    where: {
      vaultId: caller.vault,
      OR: [
        { scopeType: 'vault' },
        { scopeType: 'space', spaceId: { in: [space, ...moduleSpaces] } },
        { scopeType: 'user', userId: caller.user },
      ],
    },
    select: { name: true, scopeType: true, spaceId: true },
  });
  const namesIn = (id: string): ReadonlySet<string> => {
    const visible = rows.filter(({ scopeType, spaceId }) =>
      scopeType === 'space' ? spaceId === id : scopeType === 'vault' || id === space,
    );
    return new Set([...BUILT_IN_VARIABLES, ...visible.map(({ name }) => name)]);
  };
  return { variables: namesIn(space), moduleVariables: new Map([...moduleSpaces].map((id) => [id, namesIn(id)])) };
}

/**
 * Whether nodes or inputs of the versions may refer to variables; connections cannot. Also true for any other text with
 * `vars.` in it. Not recursive, because the depth of the data is not checked yet.
 */
export function hasVariableReferences(versions: readonly unknown[]): boolean {
  const pending = versions.flatMap((data) => [fieldOf(data, 'nodes'), fieldOf(data, 'primitiveNodes')]);
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && value.includes('vars.')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) pending.push(inner);
  }
  return false;
}
