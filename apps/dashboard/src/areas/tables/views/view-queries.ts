import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';

export const viewQuery = (solution: string, id: string) =>
  queryOptions({
    queryKey: ['tables', 'view', id],
    queryFn: ({ signal }) => client.views.get(solution, id, { signal }),
  });

export const foldersQuery = queryOptions({
  queryKey: ['tables', 'folders'],
  queryFn: async ({ signal }) =>
    await client.queryFolders.list({ page_size: 500, ordering: 'sortOrder,name' }, { signal }),
});

export const folderViewsQuery = (folder: string) =>
  queryOptions({
    queryKey: ['tables', 'folders', folder, 'views'],
    queryFn: async ({ signal }) =>
      await client.queryFolders.queries(folder, { page_size: 200, ordering: 'name' }, { signal }),
  });
