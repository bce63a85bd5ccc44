import type { Caller } from '@millrace/contracts/kit/envelope';
import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import type { ModuleVersion } from '@millrace/graph/data/workflow-data';
import type { Database } from '@millrace/persistence/database';
import { canEdit } from '../spaces/can-edit.js';
import { hasVariableReferences } from './has-variable-references.js';

export interface VariableNames {
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
