import { useInfiniteQuery } from '@tanstack/react-query';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { listQuery } from '../queries.js';
import type { NotificationsSearch } from '../search.js';
import { NotificationRow } from './notification-row.js';
import { useNotificationActions } from './use-notification-actions.js';

/** The notifications of the user, newest first. New ones appear by themselves. */
export function NotificationList({ search }: { search: NotificationsSearch }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(listQuery(search));
  const { mark, remove } = useNotificationActions();
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} className="mt-0" />;
  if (!data) return <Skeleton />;
  const notifications = data.pages.flatMap(({ results }) => results);
  if (notifications.length === 0)
    return <NoNotifications isFiltered={search.unseen !== undefined || search.type !== undefined} />;
  return (
    <>
      <ul className="divide-y divide-line rounded-md border border-line bg-raised">
        {notifications.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            onMark={(seen) => mark(notification.id, seen)}
            onDelete={() => remove(notification.id)}
          />
        ))}
      </ul>
      <div className="mt-3 flex items-center gap-3 text-xs text-muted">
        {hasNextPage && (
          <Button isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
        <span role="status">{countOf(data.pages[0]?.count ?? 0, 'notification')}</span>
      </div>
    </>
  );
}

const NoNotifications = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState icon="bell" title="Nothing here">
      <p>No notification matches the filter.</p>
    </EmptyState>
  ) : (
    <EmptyState icon="bell" title="No notifications">
      <p>When your runs end, a table that you follow changes, or someone adds to the library, it is listed here.</p>
    </EmptyState>
  );
