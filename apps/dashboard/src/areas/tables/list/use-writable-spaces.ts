import { useQueries, useQuery } from '@tanstack/react-query';
import type { Space } from '@millrace/client';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import { spaceRoleQuery } from '../../../api/roles.js';
import { spacesQuery } from '../../../api/spaces.js';

/** The spaces in which the user may create solutions and tables. */
export function useWritableSpaces(): readonly Space[] {
  const spaces = useQuery(spacesQuery).data ?? [];
  const roles = useQueries({ queries: spaces.map(({ id }) => spaceRoleQuery(id)) });
  return spaces.filter((_, index) => {
    const role = roles[index]?.data;
    return role !== undefined && role !== null && hasSpaceRole(role, 'write');
  });
}
