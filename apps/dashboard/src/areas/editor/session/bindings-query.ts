import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.js';

/** An output that is loaded into a Live Table after each run. */
export interface Binding {
  binding: string;
  node: string;
  output: string;
  table: string;
  tableId: string;
}

export const bindingsQuery = (workflow: string) =>
  queryOptions({
    queryKey: ['editor', 'bindings', workflow],
    queryFn: ({ signal }) => loadBindings(workflow, signal),
    staleTime: 30_000,
  });

async function loadBindings(workflow: string, signal: AbortSignal): Promise<Binding[]> {
  const { results } = await client.reportingNodes.list({ workflow, page_size: 1000 }, { signal });
  const ids = [...new Set(results.map(({ dataset_id: id }) => id))];
  const tables = await Promise.all(ids.map((id) => client.datasets.get(id, { signal })));
  const names = new Map(tables.map(({ id, name }) => [id, name]));
  return results.map(({ id, node_name: node, output_name: output, dataset_id: tableId }) => ({
    binding: id,
    node,
    output,
    table: names.get(tableId) ?? tableId,
    tableId,
  }));
}
