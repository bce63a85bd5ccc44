import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { SAMPLE_TABLE, SAMPLE_WORKFLOW } from '../../../sample/sample-workflow.js';

/**
 * What exists of the sample. `space` is where it can be created; undefined if the vault already has workflows of its own, so that
 * it needs no sample.
 */
export const sampleQuery = queryOptions({
  queryKey: ['home', 'sample'],
  queryFn: async ({ signal }) => {
    const [workflows, tables, spaces] = await Promise.all([
      client.workflows.list({ page_size: 5, ordering: 'created_date' }, { signal }),
      client.datasets.list({ search: SAMPLE_TABLE, page_size: 1 }, { signal }),
      client.spaces.list({ page_size: 20 }, { signal }),
    ]);
    const workflow = workflows.results.find(({ name }) => name === SAMPLE_WORKFLOW);
    const isNew = workflow !== undefined || workflows.count === 0;
    const space = isNew ? spaces.results.find(({ playground }) => playground)?.id : undefined;
    return {
      ...(space !== undefined && { space }),
      ...(workflow && { workflow: workflow.id }),
      ...(tables.results[0] && { table: tables.results[0].id }),
      hasRun: workflow?.last_execution_status !== undefined || workflow?.executing === true,
    };
  },
});
