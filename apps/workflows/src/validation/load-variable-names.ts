import type { Caller } from '@millrace/contracts/kit/envelope';
import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import type { ModuleVersion } from '@millrace/graph/data/workflow-data';
import type { Database } from '@millrace/persistence/database';
import { canEdit } from '../spaces/can-edit.js';
import { hasVariableReferences } from './has-variable-references.js';

export interface VariableNames {
  /** Of the vault, of the space and of the caller: the variables of a run that the caller starts in the space. */
  variables: ReadonlySet<string>;
  /** The variables that modules have, by their space. */
  moduleVariables: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Names of the variables that a workflow in the space and its modules have. Only spaces that the caller may edit are in
 * it: others must not learn which variables there are. Null if nothing names a variable, or if the caller may not edit in
 * the space.
 */
export async function loadVariableNames(
  client: Database['client'],
  data: unknown,
  modules: readonly Required<ModuleVersion>[],
  space: string,
  caller: Caller,
): Promise<VariableNames | null> {
  if (!canEdit(caller, space) || !hasVariableReferences([data, ...modules.map((module) => module.data)])) return null;
  const others = new Set(modules.map((module) => module.space).filter((id) => canEdit(caller, id)));
  const rows = await client.secretVariable.findMany({
    where: {
      vaultId: caller.vault,
      OR: [
        { scopeType: 'vault' },
        { scopeType: 'space', spaceId: { in: [space, ...others] } },
        { scopeType: 'user', userId: caller.user },
      ],
    },
    select: { name: true, scopeType: true, spaceId: true },
  });
  const namesIn = (id: string): ReadonlySet<string> => {
    const own = rows.filter(({ scopeType, spaceId }) =>
      scopeType === 'space' ? spaceId === id : scopeType === 'vault' || id === space,
    );
    return new Set([...BUILT_IN_VARIABLES, ...own.map(({ name }) => name)]);
  };
  return { variables: namesIn(space), moduleVariables: new Map([...others].map((id) => [id, namesIn(id)])) };
}
