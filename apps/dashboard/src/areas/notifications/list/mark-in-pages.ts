import type { InfiniteData } from '@tanstack/react-query';
import type { NotificationsListResponse } from '@millrace/client';

export type Pages = InfiniteData<NotificationsListResponse, number>;

/**
 * The pages with a notification marked as seen or unseen. It stays in a list of unseen ones until the list is loaded again, so that
 * nothing moves under the pointer.
 */
export const markInPages = (pages: Pages, id: string, seen: boolean): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    results: page.results.map((notification) =>
      notification.id === id ? { ...notification, seen, is_read: seen } : notification,
    ),
  })),
});

/** The pages without a notification. */
export const removeFromPages = (pages: Pages, id: string): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    results: page.results.filter((notification) => notification.id !== id),
  })),
});
