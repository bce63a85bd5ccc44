import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.js';
import { unseenCountQuery } from '../../../api/notifications.js';
import { notifyError } from '../../../ui/toast.js';
import { LIST_KEY } from '../queries.js';
import { markInPages, removeFromPages, type Pages } from './mark-in-pages.js';

interface NotificationActions {
  mark: (id: string, seen: boolean) => void;
  remove: (id: string) => void;
  markAll: () => void;
}

/** Changes notifications. The list changes at once, and again if the request fails. */
export function useNotificationActions(): NotificationActions {
  const queryClient = useQueryClient();
  const change = (update: (pages: Pages) => Pages) =>
    queryClient.setQueriesData<Pages>({ queryKey: LIST_KEY }, (pages) => pages && update(pages));
  const reload = () => queryClient.invalidateQueries({ queryKey: LIST_KEY });
  const fail = (title: string) => (error: unknown) => {
    notifyError(title, error);
    void reload();
  };
  // The stream reports the number of unseen ones after each change.
  const refreshCount = () => queryClient.invalidateQueries({ queryKey: unseenCountQuery.queryKey });

  const mark = useMutation({
    mutationFn: ({ id, seen }: { id: string; seen: boolean }) => client.notifications.update(id, { seen }),
    onMutate: ({ id, seen }) => void change((pages) => markInPages(pages, id, seen)),
    onError: fail('The notification could not be marked'),
    onSuccess: refreshCount,
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.notifications.delete(id),
    onMutate: (id) => void change((pages) => removeFromPages(pages, id)),
    onError: fail('The notification could not be deleted'),
    onSuccess: refreshCount,
  });
  const markAll = useMutation({
    mutationFn: () => client.notifications.mark({}),
    onError: fail('The notifications could not be marked'),
    onSuccess: () => Promise.all([reload(), refreshCount()]),
  });
  return {
    mark: (id, seen) => mark.mutate({ id, seen }),
    remove: (id) => remove.mutate(id),
    markAll: () => markAll.mutate(),
  };
}
