import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Space } from '@millrace/client';
import { hasSpaceRole, type SpaceRole } from '@millrace/contracts/kit/permissions';
import { client } from './client.js';

/** Vaults have few spaces: beyond this number one is found by searching. */
const MAX_SPACES = 1000;

/** The spaces that the user may read, by name, for choices. */
export const spacesQuery = queryOptions({
  queryKey: ['spaces'],
  queryFn: async ({ signal }) =>
    (await client.spaces.list({ page_size: MAX_SPACES, ordering: 'name' }, { signal })).results,
  staleTime: 30_000,
});

/** Whether the user has at least a role in a space. */
export const hasRoleIn = ({ role }: Space, required: SpaceRole): boolean =>
  role !== null && hasSpaceRole(role, required);

/** The spaces in which the user has at least a role, by name. Empty until they are known. */
export function useSpacesWithRole(required: SpaceRole): readonly Space[] {
  return (useQuery(spacesQuery).data ?? []).filter((space) => hasRoleIn(space, required));
}
