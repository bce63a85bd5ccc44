import { ClosedConnectionError, NoRespondersError, TimeoutError } from '@nats-io/nats-core';
import { StorageFullError, UnavailableError, type ApiError } from '@millrace/contracts/kit/api-error';

/**
 * Codes of a full disk: of the operating system, of Postgres (`disk_full`), and of JetStream (`JSStorageResourcesExceededErr`).
 */
const FULL_CODES = ['ENOSPC', 'EDQUOT', '53100', '10047'];
/** Postgres and Redis write the operating system's words into their messages. */
const FULL_WORDS = /no space left on device|disk quota exceeded|insufficient storage resources/i;

/**
 * Codes of a dependency that is away: of a socket, of Prisma (P1001 and P1002 not reached, P1017 closed), and of Postgres: class
 * 08 (connection) and 57P01 to 57P03 (it shuts down, has crashed, starts). Source: Postgres docs, appendix A.
 */
const AWAY_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|P1001|P1002|P1017|08...|57P0[123])$/;
/** What pg, Prisma's adapter, ioredis and Redis say in place of a code. */
const AWAY_WORDS =
  /Connection terminated|Client has encountered a connection error|the database system is|DatabaseNotReachable|ConnectionClosed|SocketTimeout|^Connection is closed|^(LOADING|MISCONF|MASTERDOWN) |max retries per request/;
const NATS_ERRORS = [ClosedConnectionError, NoRespondersError, TimeoutError];

/** Prisma keeps what the driver said four levels down; a chain that leads back to itself ends here, too. */
const MAX_DEPTH = 6;

/**
 * Tells a dependency that is away or out of disk space from a bug.
 * @returns what the client is told: `storage_full` (507) or `unavailable` (503); null for any other failure
 */
export function explainOutage(error: unknown): ApiError | null {
  const errors = chainOf(error);
  if (errors.some(isFull)) return new StorageFullError();
  if (!errors.some(isAway)) return null;
  // The connection may have been lost after the commit and before its confirmation.
  return new UnavailableError(
    'A server that this request needs is not available. Try again shortly. A change may or may not have been made.',
  );
}

/** Whether a disk or a disk quota was full. */
export const isDiskFull = (error: unknown): boolean => chainOf(error).some(isFull);

type Linked = Error & { code?: unknown; err_code?: unknown; errors?: unknown; meta?: { driverAdapterError?: unknown } };

/** The error and everything that it names as its cause. */
function chainOf(error: unknown, depth = 0): Linked[] {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return [];
  const { cause, errors, meta } = error as Linked;
  const causes = [cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return [error as Linked, ...causes.flatMap((each) => chainOf(each, depth + 1))];
}

const codesOf = (error: Linked): string[] =>
  [error.code, error.err_code, (error as { originalCode?: unknown }).originalCode].flatMap((code) =>
    typeof code === 'string' || typeof code === 'number' ? [String(code)] : [],
  );

const wordsOf = (error: Linked): string => {
  const { message, originalMessage, kind } = error as { message?: unknown; originalMessage?: unknown; kind?: unknown };
  return [message, originalMessage, kind].filter((words) => typeof words === 'string').join('\n');
};

const isFull = (error: Linked): boolean =>
  codesOf(error).some((code) => FULL_CODES.includes(code)) ||
  FULL_WORDS.test(wordsOf(error)) ||
  (error.name === 'StoreFailedError' && (error as { status?: unknown }).status === 507);

const isAway = (error: Linked): boolean =>
  codesOf(error).some((code) => AWAY_CODES.test(code)) ||
  AWAY_WORDS.test(wordsOf(error)) ||
  NATS_ERRORS.some((type) => error instanceof type) ||
  error.name === 'StoreFailedError';
