import { useMutation, useQuery } from '@tanstack/react-query';
import type { TableFollow } from '@millrace/client';
import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { Button } from '../../../ui/button.js';
import { Menu } from '../../../ui/menu.js';
import { notifyError } from '../../../ui/toast.js';

interface FollowButtonProps {
  table: string;
  /** The view that is followed instead of the whole table. */
  view?: { solution: string; id: string };
}

type Channels = { email: boolean; in_app: boolean } | 'stop';

/** Whether the user is notified of changes, and how. */
export function FollowButton({ table, view }: FollowButtonProps) {
  const queryKey = ['tables', 'follow', view?.id ?? table];
  const follow = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      view ? client.viewFollows.get(view.solution, view.id, { signal }) : client.tableFollows.get(table, { signal }),
  });
  const change = useMutation({
    mutationFn: (channels: Channels): Promise<TableFollow> => {
      if (view)
        return channels === 'stop'
          ? client.viewFollows.unset(view.solution, view.id)
          : client.viewFollows.set(view.solution, view.id, channels);
      return channels === 'stop' ? client.tableFollows.unset(table) : client.tableFollows.set(table, channels);
    },
    onSuccess: (state) => queryClient.setQueryData(queryKey, state),
    onError: (error) => notifyError('The notifications were not changed', error),
  });
  const isFollowing = follow.data?.following ?? false;
  const what = view ? 'a load brings rows that match the view' : 'a load changes the table';
  return (
    <Menu
      trigger={
        <Button icon="bell" disabled={!follow.data} aria-pressed={isFollowing}>
          {isFollowing ? 'Following' : 'Follow'}
        </Button>
      }
      header={`Be notified when ${what}.`}
      groups={[
        [
          {
            label: 'In the app and by mail',
            icon: 'mail',
            onSelect: () => change.mutate({ email: true, in_app: true }),
          },
          { label: 'In the app only', icon: 'bell', onSelect: () => change.mutate({ email: false, in_app: true }) },
        ],
        isFollowing ? [{ label: 'Stop following', icon: 'x', onSelect: () => change.mutate('stop') }] : [],
      ]}
    />
  );
}
