import { ConnectionError, MillraceError, UnexpectedResponseError } from '@millrace/client';
import { EXIT, type ExitCode } from './cli-context.js';
import { CliError } from './cli-error.js';
import { isLostConnection } from './is-lost-connection.js';

/** Codes of rejected sign-ins. Their status is 400. */
const REJECTED_SIGN_INS = ['invalid_credentials', 'mfa_required', 'invalid_mfa_code', 'expired_token', 'access_denied'];

/** The exit code of a command that throws this error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof MillraceError) return exitCodeOfResponse(error);
  const isNetwork =
    error instanceof ConnectionError || error instanceof UnexpectedResponseError || isLostConnection(error);
  return isNetwork ? EXIT.network : EXIT.usage;
}

function exitCodeOfResponse({ status, code, isForeign }: MillraceError): ExitCode {
  if (isForeign || status >= 500 || status === 429) return EXIT.network;
  if (status === 401 || status === 403 || REJECTED_SIGN_INS.includes(code)) return EXIT.authentication;
  return status === 404 ? EXIT.notFound : EXIT.usage;
}
