import type { Caller } from '@millrace/contracts/kit/envelope';
import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import { fieldOf } from '@millrace/graph/is-record';
import type { Database } from '@millrace/persistence/database';
import { mayEdit } from '../spaces/may-edit.js';

/**
 * Names of the variables that a run by the caller in the space would have: of the vault, the space and themselves.
 * Null where nothing in `versions` (data of the workflow and its modules) names any, and for those who may not edit in
 * the space: they are not to learn which there are.
 */
export async function loadVariableNames(
  client: Database['client'],
  versions: unknown[],
  space: string,
  caller: Caller,
): Promise<ReadonlySet<string> | null> {
  if (!mayEdit(caller, space) || !namesVariables(versions)) return null;
  const rows = await client.secretVariable.findMany({
    where: {
      vaultId: caller.vault,
      OR: [{ scopeType: 'vault' }, { scopeType: 'space', spaceId: space }, { scopeType: 'user', userId: caller.user }],
    },
    select: { name: true },
  });
  return new Set([...BUILT_IN_VARIABLES, ...rows.map(({ name }) => name)]);
}

/**
 * Whether there is any in the nodes and inputs of versions' data; connections hold none. Without recursion: nothing has
 * looked yet at how deep the data is.
 */
function namesVariables(versions: unknown[]): boolean {
  const left = versions.flatMap((data) => [fieldOf(data, 'nodes'), fieldOf(data, 'primitiveNodes')]);
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('vars.')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) left.push(inner);
  }
  return false;
}
