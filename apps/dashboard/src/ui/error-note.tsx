import { describeError } from '../api/describe-error.js';
import { isSigningInAgain } from '../api/session-state.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

interface ErrorNoteProps {
  error: unknown;
  /** Loads the content again. Shows a button for it, or explains why the content is missing. */
  onRetry?: () => void;
  className?: string;
}

/** An error in the words of the API, with its code, its fields, the id of the request, and a way out if there is one. */
export function ErrorNote({ error, onRetry, className = '' }: ErrorNoteProps) {
  const { message, code, requestId, fields, isMissing, needsSignIn } = describeError(error);
  // Some messages already contain the only problem.
  const problems = Object.entries(fields).filter(([, problem]) => !message.includes(problem));
  return (
    <div
      role="alert"
      className={`mt-3 flex gap-2.5 rounded-md border border-(--red-6) bg-failed-soft px-3 py-2.5 text-sm ${className}`}
    >
      <Icon name="circleAlert" className="mt-0.5 text-failed" />
      <div className="min-w-0 flex-1">
        <p className="wrap-text">{message}</p>
        {problems.length > 0 && (
          <ul className="mt-1 list-disc pl-4">
            {problems.map(([field, problem]) => (
              <li key={field} className="wrap-text">
                <code className="font-mono text-xs">{field}</code> {problem}
              </li>
            ))}
          </ul>
        )}
        {onRetry && isMissing && (
          <p className="mt-1">It was deleted, or you have no role there. An owner of the vault can give you one.</p>
        )}
        {code !== undefined && (
          <p className="wrap-text mt-1 text-xs text-muted">
            {code}
            {requestId !== undefined && <> · request {requestId}</>}
          </p>
        )}
      </div>
      {needsSignIn && <Button onClick={() => isSigningInAgain.set(true)}>Sign in again</Button>}
      {onRetry && !isMissing && (
        <Button icon="refresh" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
