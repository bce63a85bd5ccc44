import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { hasRoleIn } from '../../../api/spaces.js';
import { SAMPLE_TABLE, SAMPLE_WORKFLOW } from '../../../sample/sample-workflow.js';

/** What exists of the sample. `space` is where it can be created; undefined if the user has already run something. */
export const sampleQuery = queryOptions({
  queryKey: ['home', 'sample'],
  queryFn: async ({ signal }) => {
    const [workflows, tables, spaces, runs] = await Promise.all([
      client.workflows.list({ search: SAMPLE_WORKFLOW, page_size: 1 }, { signal }),
      client.datasets.list({ search: SAMPLE_TABLE, page_size: 1 }, { signal }),
      client.spaces.list({ page_size: 20 }, { signal }),
      client.runs.list({ page_size: 1 }, { signal }),
    ]);
    const [workflow] = workflows.results;
    const isNew = workflow !== undefined || runs.count === 0;
    const space = isNew ? spaces.results.find((one) => one.playground && hasRoleIn(one, 'write'))?.id : undefined;
    return {
      ...(space !== undefined && { space }),
      ...(workflow && { workflow: workflow.id, workflowSpace: workflow.space_info }),
      ...(tables.results[0] && { table: tables.results[0].id }),
      hasRun: workflow?.last_execution_status !== undefined || workflow?.executing === true,
    };
  },
});
