import type { User } from '@millrace/client';
import { signOut } from '../api/session.js';
import { LoginForm } from '../areas/account/login-form.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';

interface SignInAgainProps {
  user: User | undefined;
  /** Present if the session continues, and the sign-in is for an operation that accepts no older one. */
  onCancel?: () => void;
}

/** The sign-in over a page whose session has ended, or is too old for what its user wants to do. */
export const SignInAgain = ({ user, onCancel }: SignInAgainProps) => (
  <Dialog
    title="Sign in again"
    description={
      onCancel
        ? 'What you want to do requires a recent sign-in. The page stays as it is: repeat the action afterwards.'
        : 'Your session has ended. The page stays as it is, and continues after you have signed in.'
    }
    isDismissible={onCancel !== undefined}
    onClose={() => onCancel?.()}
    width={400}
  >
    <LoginForm
      email={user?.email ?? ''}
      onDone={({ id }) => {
        if (user && id !== user.id) location.assign('/');
      }}
    />
    <p className="mt-4 text-sm text-muted">
      {user?.is_google && 'If you only sign in with Google, you have no password yet. '}
      <a href="/password-reset" target="_blank" rel="noreferrer" className="link">
        {user?.is_google ? 'Set a password' : 'Forgot your password?'}
      </a>
    </p>
    {!onCancel && (
      <Button look="quiet" className="mt-3 w-full" onClick={() => void signOut()}>
        Sign in as someone else
      </Button>
    )}
  </Dialog>
);
