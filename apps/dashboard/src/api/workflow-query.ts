import { queryOptions } from '@tanstack/react-query';
import { client } from './client.js';

/** A workflow with its status and schedule. */
export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflow', id],
    queryFn: ({ signal }) => client.workflows.get(id, { signal }),
  });
