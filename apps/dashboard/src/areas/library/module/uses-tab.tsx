import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { usesQuery } from '../queries.js';

/** The workflows whose latest version has nodes of the module. */
export function UsesTab({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(usesQuery(id));
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const uses = data.pages.flatMap(({ results }) => results);
  if (uses.length === 0)
    return (
      <EmptyState icon="workflow" title="No workflow uses it">
        <p>This page lists the workflows in your spaces whose latest version has a node of this module.</p>
      </EmptyState>
    );
  return (
    <>
      <Table
        label="Workflows that use the module"
        head={['Workflow', 'Space', 'Nodes'].map((title) => (
          <th key={title} scope="col" className={HEAD_CELL}>
            {title}
          </th>
        ))}
      >
        {uses.map((use) => (
          <tr key={use.id} className="relative hover:bg-hover">
            <td className={`${CELL} max-w-96 truncate font-medium`}>
              <Link
                to="/workflows/$workflowId"
                params={{ workflowId: use.id }}
                dir="auto"
                className="after:absolute after:inset-0"
              >
                {use.name}
              </Link>
            </td>
            <td className={`${CELL} max-w-56 truncate text-muted`} dir="auto">
              {use.space_name}
            </td>
            <td className={`${CELL} w-full max-w-0 truncate font-mono text-xs text-muted`} title={use.nodes.join(', ')}>
              {use.nodes.join(', ')}
            </td>
          </tr>
        ))}
      </Table>
      {hasNextPage && (
        <Button className="mt-3" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
