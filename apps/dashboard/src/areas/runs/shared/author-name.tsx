import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { useVaultRole } from '../../../api/roles.js';
import { meQuery } from '../../../api/session.js';

/** Names of the vault's members by id, for users who may list them. */
const memberNamesQuery = queryOptions({
  queryKey: ['runs', 'member-names'],
  queryFn: async ({ signal }) => {
    const { results } = await client.members.list({ page_size: 1000 }, { signal });
    return new Map(results.map(({ id, name }) => [id, name]));
  },
  staleTime: 300_000,
});

/** The user who started a run. Users who may not list the members of the vault see only themselves by name. */
export function AuthorName({ id }: { id: string }) {
  const { data: me } = useQuery(meQuery);
  const mayList = useVaultRole('space_admin');
  const { data: names } = useQuery({ ...memberNamesQuery, enabled: mayList });
  const name = me?.id === id ? 'You' : (names?.get(id) ?? 'Another user');
  return (
    <span dir="auto" title={name === 'Another user' ? `User ${id}` : name} className="truncate">
      {name}
    </span>
  );
}
