import { ZodError } from 'zod';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { CliFailure } from './cli-failure.js';

/** What went wrong, as a user can use it. */
export async function tellFailure(error: unknown): Promise<string> {
  if (error instanceof CliFailure) return error.message;
  if (error instanceof MillraceError) return tellRefusal(error);
  if (error instanceof ZodError) {
    return error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('\n');
  }
  if (isNodeError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function tellRefusal(error: MillraceError): string {
  const details = Object.entries(error.details ?? {}).map(([field, what]) => `  ${field}: ${tellDetail(what)}`);
  const request = error.status >= 500 && error.requestId ? [`  (request ${error.requestId})`] : [];
  return [`The server refused (${error.code}): ${error.message}`, ...details, ...request].join('\n');
}

/** Workflow problems are objects with a message and a hint. */
function tellDetail(what: unknown): string {
  if (Array.isArray(what)) return what.map((part) => `\n    - ${tellDetail(part)}`).join('');
  if (typeof what !== 'object' || what === null) return String(what);
  const { message, hint } = what as { message?: unknown; hint?: unknown };
  if (typeof message !== 'string') return JSON.stringify(what);
  return typeof hint === 'string' ? `${message} (${hint})` : message;
}

/** The operating system's own words, like "ENOENT: no such file or directory, open 'x'", say enough. */
const isNodeError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
