import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { notifyError } from '../../../ui/toast.js';
import { bindingsQuery } from './bindings-query.js';

/** Binds the tables of renamed nodes to their new names: otherwise the next run would load nothing into them. */
export async function moveBindings(workflow: string, renames: ReadonlyMap<string, string>): Promise<void> {
  if (renames.size === 0) return;
  const query = bindingsQuery(workflow);
  try {
    const bindings = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    const moved = bindings.flatMap(({ binding, node }) => {
      const name = renames.get(node);
      return name === undefined ? [] : [client.reportingNodes.update(binding, { node_name: name })];
    });
    if (moved.length === 0) return;
    await Promise.all(moved);
    await queryClient.invalidateQueries({ queryKey: query.queryKey });
  } catch (error) {
    notifyError('The tables of a renamed node could not be bound to its new name. Bind them again', error);
  }
}
