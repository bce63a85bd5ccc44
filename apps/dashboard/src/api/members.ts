import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './client.js';
import { useVaultRole } from './roles.js';
import { meQuery } from './session.js';

const MAX_MEMBERS = 1000;

const memberNamesQuery = queryOptions({
  queryKey: ['members', 'names'],
  queryFn: async ({ signal }) => {
    const { results } = await client.members.list({ page_size: MAX_MEMBERS }, { signal });
    return new Map(results.map(({ id, name }) => [id, name]));
  },
  staleTime: 300_000,
});

/** The name of a user of the vault; undefined if it is not known, for example because members may not see each other. */
export function useMemberName(id: string | undefined): string | undefined {
  const { data: me } = useQuery(meQuery);
  const isPermitted = useVaultRole('space_admin');
  const { data: names } = useQuery({ ...memberNamesQuery, enabled: isPermitted && id !== undefined && id !== me?.id });
  if (id === undefined) return undefined;
  return id === me?.id ? me.name : names?.get(id);
}
