import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CELL, HEAD_CELL, Table } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { publishedListQuery } from '../queries.js';

/** The workflows that users of the vault have published. */
export function PublishedList({ q }: { q: string | undefined }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    publishedListQuery(q),
  );
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} className="mx-6" />;
  if (!data) return <Skeleton className="px-6" />;
  const snapshots = data.pages.flatMap(({ results }) => results);
  if (snapshots.length === 0) return <NothingPublished q={q} />;
  return (
    <div className="px-6 pt-4 max-sm:px-4">
      <Table
        label="Published workflows"
        head={
          <>
            <th scope="col" className={HEAD_CELL}>
              Name
            </th>
            <th scope="col" className={`${HEAD_CELL} w-full`}>
              Description
            </th>
            <th scope="col" className={HEAD_CELL}>
              Space
            </th>
            <th scope="col" className={`${HEAD_CELL} text-right`}>
              Version
            </th>
            <th scope="col" className={HEAD_CELL}>
              Published
            </th>
          </>
        }
      >
        {snapshots.map((snapshot) => (
          <tr key={snapshot.id} className="relative hover:bg-hover">
            <td className={`${CELL} max-w-80`}>
              <Link
                to="/library/workflows/$snapshotId"
                params={{ snapshotId: snapshot.id }}
                className="flex min-w-0 items-center gap-2.5 font-medium after:absolute after:inset-0"
              >
                <Icon name="workflow" className="text-muted" />
                <span dir="auto" title={snapshot.name} className="min-w-0 truncate">
                  {snapshot.name}
                </span>
              </Link>
            </td>
            <td className={`${CELL} max-w-0 truncate text-muted`} dir="auto" title={snapshot.description ?? undefined}>
              {snapshot.description}
            </td>
            <td className={`${CELL} max-w-48 truncate text-muted`} dir="auto" title={snapshot.space_name}>
              {snapshot.space_name}
            </td>
            <td className={`${CELL} nums text-right text-muted`}>{snapshot.version_number}</td>
            <td className={`${CELL} text-muted`}>
              <Time value={snapshot.created_date} />
            </td>
          </tr>
        ))}
      </Table>
      {hasNextPage && (
        <Button className="mt-3" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

const NothingPublished = ({ q }: { q: string | undefined }) =>
  q === undefined ? (
    <EmptyState icon="share" title="Nothing is published yet">
      <p>
        Publish a version of a workflow in its editor. Everyone in the vault can copy it then, or use it as a module.
      </p>
    </EmptyState>
  ) : (
    <EmptyState icon="search" title="Nothing found">
      <p className="wrap-text">No published workflow has “{q}” in its name or description.</p>
    </EmptyState>
  );
