import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import type { Database } from '@millrace/persistence/database';

/**
 * Names of the variables that a run by the caller in the space would have: of the vault, the space and themselves.
 * Null where nothing in `values` names any, and for those who may not edit in the space: they are not to learn which
 * there are.
 */
export async function loadVariableNames(
  client: Database['client'],
  values: unknown,
  space: string,
  caller: Caller,
): Promise<ReadonlySet<string> | null> {
  if (!mayEdit(caller, space) || !namesVariables(values)) return null;
  const rows = await client.secretVariable.findMany({
    where: {
      vaultId: caller.vault,
      OR: [{ scopeType: 'vault' }, { scopeType: 'space', spaceId: space }, { scopeType: 'user', userId: caller.user }],
    },
    select: { name: true },
  });
  return new Set([...BUILT_IN_VARIABLES, ...rows.map(({ name }) => name)]);
}

const mayEdit = ({ spaces }: Caller, space: string): boolean =>
  spaces === 'all' || (spaces[space] !== undefined && hasSpaceRole(spaces[space], 'write'));

/** Without recursion: nothing has looked yet at how deep the data is. */
function namesVariables(values: unknown): boolean {
  const left = [values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('vars.')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) left.push((value as Record<string, unknown>)[key]);
  }
  return false;
}
