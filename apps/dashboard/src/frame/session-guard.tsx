import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followSession, sessionEnded } from '../api/session-state.js';
import { meQuery, signOut } from '../api/session.js';
import { LoginForm } from '../areas/account/login-form.js';
import { useStore } from '../store/create-store.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';

/**
 * Keeps the page in step with its session. If the session ends, the user signs in again in a dialog over the page, and loses
 * nothing. A sign-out in another tab ends this one, and a sign-in as someone else reloads it.
 */
export function SessionGuard() {
  const { data: me } = useQuery(meQuery);
  const isOver = useStore(sessionEnded);
  const user = me?.id;
  useEffect(
    () =>
      followSession((message) => {
        if (message.type === 'signed-out') location.assign('/login');
        else if (message.user !== user) location.assign('/');
        else sessionEnded.set(false);
      }),
    [user],
  );
  if (!isOver) return null;
  return (
    <Dialog
      title="Sign in again"
      description="Your session has ended. The page stays as it is, and continues after you have signed in."
      isDismissible={false}
      onClose={() => undefined}
      width={400}
    >
      <LoginForm
        email={me?.email ?? ''}
        onDone={(next) => {
          if (user !== undefined && next.id !== user) location.assign('/');
        }}
      />
      <Button look="quiet" className="mt-3 w-full" onClick={() => void signOut()}>
        Sign in as someone else
      </Button>
    </Dialog>
  );
}
