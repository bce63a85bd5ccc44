import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import type { NotificationsSearch } from './search.js';

const PAGE_SIZE = 50;

/** Events of the stream invalidate every query whose key begins with these two words. */
export const LIST_KEY = ['notifications', 'list'] as const;

export const listQuery = ({ unseen, type }: NotificationsSearch) =>
  infiniteQueryOptions({
    queryKey: [...LIST_KEY, { unseen, type }],
    queryFn: async ({ signal, pageParam: page }) =>
      await client.notifications.list(
        {
          ...{ page, page_size: PAGE_SIZE },
          ...(unseen && { seen: 'false' as const }),
          ...(type && { notification_type: type }),
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next }, _, page) => (next ? page + 1 : undefined),
  });

export const configQuery = queryOptions({
  queryKey: ['notifications', 'config'],
  queryFn: ({ signal }) => client.config.get({ signal }),
});
