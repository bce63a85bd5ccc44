import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { followSession, isSigningInAgain, sessionEnded } from '../api/session-state.js';
import { meQuery, resumeSession } from '../api/session.js';
import { useStore } from '../store/create-store.js';

const SignInAgain = lazy(() => import('./sign-in-again.js').then(({ SignInAgain }) => ({ default: SignInAgain })));

/**
 * Keeps the page in step with its session. If the session ends, the user signs in again in a dialog over the page, and loses
 * nothing. A sign-out in another tab ends this one, and a sign-in as someone else reloads it.
 */
export function SessionGuard() {
  const { data: me } = useQuery(meQuery);
  const isOver = useStore(sessionEnded);
  const isTooOld = useStore(isSigningInAgain);
  const user = me?.id;
  useEffect(
    () =>
      followSession((message) => {
        if (message.type === 'signed-out') location.assign('/login');
        else if (message.user !== user) location.assign('/');
        else resumeSession();
      }),
    [user],
  );
  if (!isOver && !isTooOld) return null;
  return (
    <Suspense>
      <SignInAgain user={me} {...(!isOver && { onCancel: () => isSigningInAgain.set(false) })} />
    </Suspense>
  );
}
