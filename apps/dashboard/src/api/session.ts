import { queryOptions } from '@tanstack/react-query';
import type { User } from '@millrace/client';
import { client } from './client.js';
import { queryClient } from './query-client.js';
import { announceSession, sessionEnded } from './session-state.js';

/** The user of the session. Fails with `unauthenticated` if nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => client.users.me({ signal }),
  staleTime: 60_000,
});

/** Continues as the user who has just signed in. Data of another user is dropped. */
export async function beginSession(user: User): Promise<void> {
  const previous = queryClient.getQueryData(meQuery.queryKey);
  if (previous?.id !== user.id) queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, user);
  sessionEnded.set(false);
  announceSession({ type: 'signed-in', user: user.id });
  await queryClient.invalidateQueries();
}

/** Ends the session in all tabs, and loads the sign-in page, so that no data of the user stays in memory. */
export async function signOut(): Promise<void> {
  await client.sessions.logout({}).catch(() => undefined);
  announceSession({ type: 'signed-out' });
  location.assign('/login');
}
