import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AdminUser } from '@millrace/client';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

export const PAGE_SIZE = 50;

interface UserFilter {
  q: string | undefined;
  state: AdminUser['state'] | undefined;
  /** Id of a vault. */
  vault: string | undefined;
  page: number | undefined;
}

export const usersQuery = ({ q, state, vault, page = 1 }: UserFilter) =>
  queryOptions({
    queryKey: [AREA_KEY, 'users', { q, state, vault, page }],
    queryFn: async ({ signal }) =>
      await client.adminUsers.list(
        {
          ...(q !== undefined && { search: q }),
          ...(state !== undefined && { state }),
          ...(vault !== undefined && { vault }),
          ...{ page, page_size: PAGE_SIZE },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [AREA_KEY, 'user', id],
    queryFn: ({ signal }) => client.adminUsers.get(id, { signal }),
  });
