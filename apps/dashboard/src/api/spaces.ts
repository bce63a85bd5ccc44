import { queryOptions } from '@tanstack/react-query';
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
