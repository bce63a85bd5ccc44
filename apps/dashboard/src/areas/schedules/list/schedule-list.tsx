import { useInfiniteQuery } from '@tanstack/react-query';
import { countOf, formatCount } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { schedulesQuery } from '../queries.js';
import { isScheduled } from '../scheduled-workflow.js';
import type { SchedulesSearch } from '../search.js';
import { ScheduleTable } from './schedule-table.js';

interface ScheduleListProps {
  search: SchedulesSearch;
  onEdit: (workflow: string) => void;
  /** Absent if the user may not schedule anything. */
  onNew: (() => void) | undefined;
}

/** The schedules of the workflows that the user may see. */
export function ScheduleList({ search, onEdit, onNew }: ScheduleListProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    schedulesQuery(search),
  );
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} className="mt-0" />;
  if (!data) return <Skeleton />;
  const shown = data.pages.flatMap(({ results }) => results.filter(isScheduled));
  const count = data.pages.at(-1)?.count ?? 0;
  if (shown.length === 0)
    return search.q === undefined && search.state === undefined ? (
      <EmptyState
        icon="calendarClock"
        title="No schedules yet"
        actions={
          onNew && (
            <Button look="primary" icon="plus" onClick={onNew}>
              Schedule a workflow
            </Button>
          )
        }
      >
        <p>A schedule starts runs of a workflow at times of the clock, or again and again.</p>
      </EmptyState>
    ) : (
      <EmptyState icon="search" title="No schedule found">
        <p>Change the search or the filter.</p>
      </EmptyState>
    );
  return (
    <>
      <ScheduleTable workflows={shown} selected={search.workflow} onEdit={onEdit} />
      <div className="mt-3 flex flex-wrap items-center gap-3 text-xs text-muted">
        {hasNextPage && (
          <Button isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
        <span role="status">
          {hasNextPage && `${formatCount(shown.length)} of `}
          {countOf(count, 'schedule')}
        </span>
      </div>
    </>
  );
}
