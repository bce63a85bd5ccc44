import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.js';

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['editor', 'workflow', id],
    queryFn: ({ signal }) => client.workflows.get(id, { signal }),
  });
