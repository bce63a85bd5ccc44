import { queryOptions } from '@tanstack/react-query';
import type { User } from '@millrace/client';
import { client } from './client.js';
import { queryClient } from './query-client.js';
import { announceSession, isSigningInAgain, sessionEnded } from './session-state.js';

/** The user of the session. Fails with `unauthenticated` if nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => client.users.me({ signal }),
  staleTime: 60_000,
});

/**
 * Signs in, and continues as that user. Data of another user is dropped.
 * @param signIn sends the sign-in, whose response sets the cookies of the session
 */
export async function beginSession(signIn: () => Promise<{ user: User }>): Promise<User> {
  // A response that arrives later could set the cookies of the former session again.
  await queryClient.cancelQueries();
  const { user } = await signIn();
  const previous = queryClient.getQueryData(meQuery.queryKey);
  if (previous?.id !== user.id) queryClient.clear();
  queryClient.setQueryData(meQuery.queryKey, user);
  resumeSession();
  announceSession({ type: 'signed-in', user: user.id });
  return user;
}

/** Continues after a sign-in, perhaps in another tab: what failed without a session is requested again. */
export function resumeSession(): void {
  sessionEnded.set(false);
  isSigningInAgain.set(false);
  void queryClient.invalidateQueries();
}

/** Ends the session in all tabs, and loads the sign-in page, so that no data of the user stays in memory. */
export async function signOut(): Promise<void> {
  await client.sessions.logout({}).catch(() => undefined);
  announceSession({ type: 'signed-out' });
  location.assign('/login');
}
