import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AdminVault } from '@millrace/client';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

export const PAGE_SIZE = 50;

interface VaultFilter {
  q: string | undefined;
  state: AdminVault['state'] | undefined;
  page: number | undefined;
}

export const vaultsQuery = ({ q, state, page = 1 }: VaultFilter) =>
  queryOptions({
    queryKey: [AREA_KEY, 'vaults', { q, state, page }],
    queryFn: async ({ signal }) =>
      await client.adminVaults.list(
        {
          ...(q !== undefined && { search: q }),
          ...(state !== undefined && { state }),
          ...{ page, page_size: PAGE_SIZE },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const vaultQuery = (id: string) =>
  queryOptions({
    queryKey: [AREA_KEY, 'vault', id],
    queryFn: ({ signal }) => client.adminVaults.get(id, { signal }),
  });
