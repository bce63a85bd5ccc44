import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AdminAuditEntry } from '@millrace/client';
import { client } from '../../../api/client.js';
import { AREA_KEY } from '../parts/area-queries.js';

export const PAGE_SIZE = 50;

interface EntryFilter {
  q: string | undefined;
  action: AdminAuditEntry['action'] | undefined;
  page: number | undefined;
}

export const entriesQuery = ({ q, action, page = 1 }: EntryFilter) =>
  queryOptions({
    queryKey: [AREA_KEY, 'audit', { q, action, page }],
    queryFn: async ({ signal }) =>
      await client.adminAudit.list(
        { ...(q !== undefined && { search: q }), ...(action !== undefined && { action }), page, page_size: PAGE_SIZE },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
