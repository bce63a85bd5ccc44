import { ZodError } from 'zod';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { UnexpectedResponseError } from '@millrace/sdk/read-response';
import { CliError } from './cli-error.js';
import { describeProblem, isProblem } from './describe-problem.js';
import { describeSystemError, isSystemError } from './describe-system-error.js';

/** Describes a failure for the user. @param trace whether to append the stack */
export function describeFailure(error: unknown, trace = false): string {
  const message = describe(error);
  const stack = trace && error instanceof Error ? error.stack : undefined;
  return stack === undefined ? message : `${message}\n${stack}`;
}

function describe(error: unknown): string {
  if (error instanceof CliError || error instanceof UnexpectedResponseError) return error.message;
  if (error instanceof MillraceError) return error.isForeign ? describeForeignError(error) : describeRefusal(error);
  if (error instanceof ZodError) {
    return error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('\n');
  }
  if (isLostConnection(error)) {
    return `The connection to the server was lost (${reasonOf(error)}). Check that the server runs, and try again.`;
  }
  if (isSystemError(error)) return describeSystemError(error);
  const message = isErrorLike(error) ? error.message : String(error);
  return `millrace failed with an unexpected error: ${message}\nFor a report with the stack trace, set MILLRACE_TRACE=1 and repeat the command.`;
}

/** Describes an error response that does not have the format of Millrace: a proxy or a different server sent it. */
function describeForeignError({ status, message, url = '' }: MillraceError): string {
  const from = URL.parse(url)?.origin ?? 'The server';
  const text = message.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  const words = text === '' || text.startsWith('<') ? '' : ` (${text})`;
  return `${from} responded with status ${status}, which is not a response of a Millrace server${words}. Is the address right?`;
}

function describeRefusal({ code, message, details = {}, status, requestId }: MillraceError): string {
  const lines = [`The server rejected the request (${code}): ${message}`];
  const { errors } = details;
  // Problems of a workflow are there a second time, by their place in the request.
  if (Array.isArray(errors) && errors.length > 0) lines.push(...errors.map((one) => `  - ${describeDetail(one)}`));
  else lines.push(...Object.entries(details).map(([field, what]) => `  ${field}: ${describeDetail(what)}`));
  if (status === 401)
    lines.push('  Sign in again: npx millrace login. If MILLRACE_TOKEN is set, set it to another token.');
  if (status >= 500 && requestId) lines.push(`  (request ${requestId})`);
  return lines.join('\n');
}

function describeDetail(what: unknown): string {
  if (Array.isArray(what)) return what.map((part) => `\n    - ${describeDetail(part)}`).join('');
  if (isProblem(what)) return describeProblem(what);
  return typeof what === 'object' && what !== null ? JSON.stringify(what) : String(what);
}

/** Of `fetch`, or of a stream that it gave: a TypeError whose cause is of the network, or that names no cause at all. */
function isLostConnection(error: unknown): error is Error {
  if (!isErrorLike(error)) return false;
  if (error.name === 'TimeoutError' || error.message.startsWith('The connection was silent')) return true;
  return (
    error instanceof TypeError && (/^(fetch failed|terminated)$/.test(error.message) || isSystemError(error.cause))
  );
}

const isErrorLike = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';

const reasonOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);
