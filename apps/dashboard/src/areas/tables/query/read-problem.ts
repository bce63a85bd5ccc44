import { MillraceError } from '@millrace/client';
import type { QueryProblem } from './query-bar.js';

/** The error of the query in a response of the API; undefined for an error of another kind. */
export function readProblem(error: unknown): QueryProblem | undefined {
  if (!(error instanceof MillraceError) || error.code !== 'validation_error') return undefined;
  const { details = {} } = error;
  const message = details['query.q'];
  if (typeof message !== 'string') return undefined;
  const { position } = details;
  return { message, position: typeof position === 'number' ? position : undefined };
}
