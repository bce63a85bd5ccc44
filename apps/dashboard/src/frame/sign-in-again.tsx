import type { User } from '@millrace/client';
import { signOut } from '../api/session.js';
import { LoginForm } from '../areas/account/login-form.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';

/** The sign-in over a page whose session has ended. */
export const SignInAgain = ({ user }: { user: User | undefined }) => (
  <Dialog
    title="Sign in again"
    description="Your session has ended. The page stays as it is, and continues after you have signed in."
    isDismissible={false}
    onClose={() => undefined}
    width={400}
  >
    <LoginForm
      email={user?.email ?? ''}
      onDone={({ id }) => {
        if (user && id !== user.id) location.assign('/');
      }}
    />
    <Button look="quiet" className="mt-3 w-full" onClick={() => void signOut()}>
      Sign in as someone else
    </Button>
  </Dialog>
);
