import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { describeError } from '../api/describe-error.js';
import { Button, buttonClass } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorNote } from '../ui/error-note.js';

/** An address that no page has. */
export const NotFoundPage = () => (
  <main>
    <EmptyState
      icon="search"
      title="This page does not exist"
      isPage
      actions={
        <Link to="/" className={buttonClass()}>
          Go to Home
        </Link>
      }
    >
      The address has a mistake, or the page has moved.
    </EmptyState>
  </main>
);

/** The message of browsers if a part of the app is not on the server: it was replaced by another version, or the server is away. */
const MISSING_PART = /dynamically imported module|Importing a module script failed/;

/** A page that failed while it was opened. */
export function PageErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof Error && MISSING_PART.test(error.message)) return <MissingPartPage />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className="mx-auto max-w-xl px-6 py-16">
      <h1>The page could not be shown</h1>
      <ErrorNote error={error} />
      <div className="mt-4 flex gap-2">
        <Button icon="refresh" onClick={retry}>
          Retry
        </Button>
        {!describeError(error).isTemporary && (
          <Link to="/" className={buttonClass('quiet')}>
            Go to Home
          </Link>
        )}
      </div>
    </main>
  );
}

const MissingPartPage = () => (
  <main>
    <EmptyState
      icon="refresh"
      title="This page could not be loaded"
      isPage
      actions={
        <Button look="primary" icon="refresh" onClick={() => location.reload()}>
          Reload
        </Button>
      }
    >
      The server was updated, or does not respond. Reload to get the present version.
    </EmptyState>
  </main>
);
