import { ZodError } from 'zod';
import { ConnectionError, MillraceError, UnexpectedResponseError } from '@millrace/client';
import { CliError } from './cli-error.js';
import { describeMissingServer } from './describe-missing-server.js';
import { describeProblem, isProblem } from './describe-problem.js';
import { describeSystemError, isSystemError } from './describe-system-error.js';
import { isErrorLike, isLostConnection } from './is-lost-connection.js';

/** Describes a failure for the user. @param trace whether to append the stack */
export function describeFailure(error: unknown, trace = false): string {
  const message = describe(error);
  const stack = trace && error instanceof Error ? error.stack : undefined;
  return stack === undefined ? message : `${message}\n${stack}`;
}

function describe(error: unknown): string {
  if (error instanceof CliError || error instanceof UnexpectedResponseError) return error.message;
  if (error instanceof MillraceError) return error.isForeign ? describeForeignError(error) : describeRefusal(error);
  if (error instanceof ConnectionError && !error.isInterrupted) return describeMissingServer(error);
  if (error instanceof ZodError) {
    return error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('\n');
  }
  if (error instanceof ConnectionError || isLostConnection(error)) {
    const reason = error instanceof ConnectionError ? error.reason : reasonOf(error);
    return `The connection to the server was lost (${reason}). Check that the server runs, and try again.`;
  }
  if (isSystemError(error)) return describeSystemError(error);
  const message = isErrorLike(error) ? error.message : String(error);
  return `millrace failed with an unexpected error: ${message}\nFor a report with the stack trace, set MILLRACE_TRACE=1 and repeat the command.`;
}

const VERSION_HINT = 'The server may have another version than this command line. To compare them: millrace doctor';

/** Describes an error response that does not have the format of Millrace: a proxy or a different server sent it. */
function describeForeignError({ status, message, url = '' }: MillraceError): string {
  const server = URL.canParse(url) ? new URL(url).origin : 'The server';
  const text = message.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  const quote = text === '' || text.startsWith('<') ? '' : ` (${text})`;
  return `${server} responded with status ${status}, which is not a response of a Millrace server${quote}. Is the address right?`;
}

function describeRefusal({ code, message, details = {}, status, requestId }: MillraceError): string {
  const lines = [`The server rejected the request (${code}): ${message}`];
  const { errors } = details;
  // The details repeat the problems of a workflow by their path in the request, so only this list is shown.
  if (Array.isArray(errors) && errors.length > 0)
    lines.push(...errors.map((problem) => `  - ${describeDetail(problem)}`));
  else lines.push(...Object.entries(details).map(([field, detail]) => `  ${field}: ${describeDetail(detail)}`));
  if (status === 401) lines.push('  Sign in again: millrace login. If MILLRACE_TOKEN is set, set it to another token.');
  if (message.startsWith('No operation')) lines.push(`  ${VERSION_HINT}`);
  if (status >= 500 && requestId) lines.push(`  (request ${requestId})`);
  return lines.join('\n');
}

function describeDetail(detail: unknown): string {
  if (Array.isArray(detail)) return detail.map((part) => `\n    - ${describeDetail(part)}`).join('');
  if (isProblem(detail)) return describeProblem(detail);
  return typeof detail === 'object' && detail !== null ? JSON.stringify(detail) : String(detail);
}

const reasonOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);
