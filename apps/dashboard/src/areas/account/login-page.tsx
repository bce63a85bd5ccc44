import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { MillraceError } from '@millrace/client';
import { GOOGLE_PROBLEMS } from '@millrace/contracts/auth/google-problems';
import { ErrorNote } from '../../ui/error-note.js';
import { AccountPage } from './account-page.js';
import { GoogleLink } from './google-link.js';
import { LoginForm } from './login-form.js';
import { loginRoute } from './routes.js';
import { useSignInMethods } from './sign-in-methods.js';
import { useTicket } from './use-ticket.js';

export function LoginPage() {
  const { next = '/', ticket, error, request_id: requestId } = loginRoute.useSearch();
  const navigate = useNavigate();
  const { history } = useRouter();
  const methods = useSignInMethods();
  const proceed = () => history.push(next);
  const redeeming = useTicket(ticket, proceed, () => void navigate({ to: '/login', search: { next }, replace: true }));
  return (
    <AccountPage title="Sign in">
      {redeeming.isPending && ticket !== undefined ? (
        <p role="status" className="text-sm text-muted">
          Signing in…
        </p>
      ) : (
        <LoginForm onDone={proceed} />
      )}
      {redeeming.error && <ErrorNote error={redeeming.error} />}
      {error !== undefined && (
        <ErrorNote error={new MillraceError(400, error, GOOGLE_PROBLEMS[error], undefined, requestId)} />
      )}
      {methods?.google && (
        <GoogleLink returnTo={`/login?${new URLSearchParams({ next })}`} label="Sign in with Google" />
      )}
      <p className="mt-6 flex flex-wrap justify-between gap-2 text-sm text-muted">
        <Link to="/password-reset" className="link">
          Forgot your password?
        </Link>
        {methods?.signup !== 'closed' && (
          <Link to="/signup" className="link">
            Create an account
          </Link>
        )}
      </p>
    </AccountPage>
  );
}
