import { queryOptions, useQuery } from '@tanstack/react-query';
import { hasSpaceRole, hasVaultRole, type SpaceRole, type VaultRole } from '@millrace/contracts/kit/permissions';
import { client } from './client.js';
import { meQuery } from './session.js';

export const spaceRoleQuery = (space: string) =>
  queryOptions({
    queryKey: ['roles', 'space', space],
    queryFn: async ({ signal }) => (await client.roles.space(space, { signal })).effective,
    staleTime: 60_000,
  });

/**
 * Whether the user has a role in a space, to hide what they may not do; the server checks it again. False until it is known.
 * @param space id of the space; undefined while the record that has it is loading
 */
export function useSpaceRole(space: string | undefined, required: SpaceRole): boolean {
  const { data: role } = useQuery({ ...spaceRoleQuery(space ?? ''), enabled: space !== undefined });
  return role !== undefined && role !== null && hasSpaceRole(role, required);
}

/** Whether the user administers the installation. False until it is known. */
export const useIsInstanceAdmin = (): boolean => useQuery(meQuery).data?.instance_role === 'admin';

/** Whether the user has a role in the vault. False until it is known. */
export function useVaultRole(required: VaultRole): boolean {
  const { data: me } = useQuery(meQuery);
  return me !== undefined && hasVaultRole(me.vault_role, required);
}
