import { ClosedConnectionError, NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { StorageFullError, UnavailableError, type ApiError } from '@millrace/contracts/kit/api-error';

/**
 * Codes of a full disk: from the operating system, Postgres (`disk_full`) and JetStream
 * (`JSStorageResourcesExceededErr`).
 */
const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT', '53100', '10047'];
/** Postgres and Redis include the text of the operating system in their messages. */
const DISK_FULL_MESSAGES = /no space left on device|disk quota exceeded|insufficient storage resources/i;

/**
 * Codes of an unavailable dependency: of sockets, of Prisma (P1001 and P1002 unreachable, P1017 closed), and of
 * Postgres: class 08 (connection) and 57P01 to 57P03 (shutting down, crashed, starting). Source: Postgres docs,
 * appendix A.
 */
const UNAVAILABLE_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|P1001|P1002|P1017|08...|57P0[123])$/;
/** Messages of pg, the Prisma adapter, ioredis and Redis that come without a code. */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|Client has encountered a connection error|the database system is|DatabaseNotReachable|ConnectionClosed|SocketTimeout|^Connection is closed|^(LOADING|MISCONF|MASTERDOWN) |max retries per request/;
const NATS_UNAVAILABLE_ERRORS = [ClosedConnectionError, NoRespondersError, TimeoutError];

/** Prisma nests the driver error four levels deep. The limit also ends circular chains. */
const MAX_CAUSE_DEPTH = 6;

/**
 * Distinguishes an unavailable dependency or a full disk from a bug.
 * @returns the error for the client: `storage_full` (507) or `unavailable` (503); null for any other failure
 */
export function explainOutage(error: unknown): ApiError | null {
  const errors = collectErrors(error);
  if (errors.some(({ name }) => name === 'ContentsGoneError')) {
    return new UnavailableError(
      'A content was deleted while the request used it; nothing was done. Try again shortly.',
    );
  }
  if (errors.some(isDiskFullError)) return new StorageFullError();
  if (!errors.some(isUnavailableError)) return null;
  // The connection may have been lost after the commit and before its confirmation.
  return new UnavailableError(
    'A server that this request needs is not available. Try again shortly. A change may or may not have been made.',
  );
}

/** True if a disk or a disk quota was full. */
export const isDiskFull = (error: unknown): boolean => collectErrors(error).some(isDiskFullError);

type LinkedError = Error & {
  code?: unknown;
  err_code?: unknown;
  errors?: unknown;
  meta?: { driverAdapterError?: unknown };
};

/** Returns the error and all its causes. */
function collectErrors(error: unknown, depth = 0): LinkedError[] {
  if (typeof error !== 'object' || error === null || depth > MAX_CAUSE_DEPTH) return [];
  const { cause, errors, meta } = error as LinkedError;
  const causes = [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return [error as LinkedError, ...causes.flatMap((each) => collectErrors(each, depth + 1))];
}

const codesOf = (error: LinkedError): string[] =>
  [error.code, error.err_code, (error as { originalCode?: unknown }).originalCode].flatMap((code) =>
    typeof code === 'string' || typeof code === 'number' ? [String(code)] : [],
  );

const messagesOf = (error: LinkedError): string => {
  const { message, originalMessage, kind } = error as { message?: unknown; originalMessage?: unknown; kind?: unknown };
  return [message, originalMessage, kind].filter((text) => typeof text === 'string').join('\n');
};

const isDiskFullError = (error: LinkedError): boolean =>
  codesOf(error).some((code) => DISK_FULL_CODES.includes(code)) ||
  DISK_FULL_MESSAGES.test(messagesOf(error)) ||
  (error.name === 'StoreFailedError' && (error as { status?: unknown }).status === 507);

const isUnavailableError = (error: LinkedError): boolean =>
  codesOf(error).some((code) => UNAVAILABLE_CODES.test(code)) ||
  UNAVAILABLE_MESSAGES.test(messagesOf(error)) ||
  NATS_UNAVAILABLE_ERRORS.some((type) => error instanceof type) ||
  error.name === 'StoreFailedError';
