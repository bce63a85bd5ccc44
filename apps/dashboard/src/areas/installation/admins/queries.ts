import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

export const PAGE_SIZE = 50;

export const adminsQuery = (page: number) =>
  queryOptions({
    queryKey: [AREA_KEY, 'admins', { page }],
    queryFn: async ({ signal }) => await client.admins.list({ page, page_size: PAGE_SIZE }, { signal }),
    placeholderData: keepPreviousData,
  });

export const adminTokensQuery = (page: number) =>
  queryOptions({
    queryKey: [AREA_KEY, 'admin-tokens', { page }],
    queryFn: async ({ signal }) => await client.adminTokens.list({ page, page_size: PAGE_SIZE }, { signal }),
    placeholderData: keepPreviousData,
  });
