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

/** A page that failed while it was opened. */
export function PageErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
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
