import { queryOptions } from '@tanstack/react-query';
import type { Version } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { workflowQuery } from '../../../api/workflow-query.js';

/** The page takes what its route has requested at most this long ago. */
const MAX_AGE_MS = 10_000;

/** Null if the workflow has no version yet. It is read once for each opening, because the user edits a copy of it. */
const latestVersionQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['editor', 'latest', workflow],
    queryFn: async ({ signal }): Promise<Version | null> => {
      const { latest_version_info: id } = await queryClient.fetchQuery(workflowQuery(workflow));
      return id === undefined ? null : client.versions.get(workflow, id, { signal });
    },
    gcTime: MAX_AGE_MS,
  });

/** Requests the newest version while the scripts of the editor load: a large one takes as long as they do. */
export const preloadLatestVersion = (workflow: string): void =>
  void queryClient.prefetchQuery({ ...latestVersionQuery(workflow), staleTime: 0 });

/** Taken once: a page that opens the editor again gets the newest version of that moment. */
export async function latestVersion(workflow: string): Promise<Version | null> {
  const query = latestVersionQuery(workflow);
  try {
    return await queryClient.fetchQuery({ ...query, staleTime: MAX_AGE_MS });
  } finally {
    queryClient.removeQueries(query);
  }
}
