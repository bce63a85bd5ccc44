import { ZodError } from 'zod';
import { MillraceError } from '@millrace/sdk/millrace-error';
import { UnexpectedAnswer } from '@millrace/sdk/unexpected-answer';
import { CliFailure } from './cli-failure.js';

/** What went wrong, as a user can use it. */
export async function tellFailure(error: unknown): Promise<string> {
  if (error instanceof CliFailure || error instanceof UnexpectedAnswer) return error.message;
  if (error instanceof MillraceError) return error.isForeign ? tellStranger(error) : tellRefusal(error);
  if (error instanceof ZodError) {
    return error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('\n');
  }
  if (isNodeError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An error that is not told as Millrace tells errors: of a proxy, or of another server altogether. */
function tellStranger({ status, message, url = '' }: MillraceError): string {
  const from = URL.parse(url)?.origin ?? 'The server';
  const said = message.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  const words = said === '' || said.startsWith('<') ? '' : ` (${said})`;
  return `${from} answered ${status}, but not as a Millrace server does${words}. Is the address right?`;
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
