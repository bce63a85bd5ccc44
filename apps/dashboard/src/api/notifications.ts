import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from './client.js';
import { whileVisible } from './while-visible.js';

export const unseenCountQuery = queryOptions({
  queryKey: ['notifications', 'unseen-count'],
  queryFn: async ({ signal }) => (await client.notifications.list({ page_size: 1 }, { signal })).unseen_count,
  staleTime: Infinity,
});

/** The number of unseen notifications, live. */
export function useUnseenCount(): number {
  const { data = 0 } = useQuery(unseenCountQuery);
  const queryClient = useQueryClient();
  useEffect(
    () =>
      whileVisible(async (signal) => {
        for await (const event of client.notifications.stream({ signal })) {
          if (event.type === 'count') queryClient.setQueryData(unseenCountQuery.queryKey, event.unseenCount);
          else void queryClient.invalidateQueries({ queryKey: ['notifications', 'list'] });
        }
      }),
    [queryClient],
  );
  return data;
}
