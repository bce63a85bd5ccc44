import { setTimeout as sleep } from 'node:timers/promises';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';

/** Requests of the running services wait behind a migration that waits for a table, so it gives up after this time. */
const LOCK_TIMEOUT = '5s';
/** In between, what has waited behind it runs. */
const RETRY_INTERVAL_MS = 1_000;
const MAX_ATTEMPTS = 60;
/** Deadlock, and a lock that was not available in time. */
const LOCK_ERRORS = ['40P01', '55P03'];

/**
 * Executes the script of a migration in one transaction, while services of the release before it use the same tables. If the
 * script and a service wait for each other, or the service holds a table for long, it starts again.
 * @param execute sends the statements as a whole, so that they take effect together or not at all
 * @throws the error of the last attempt, after up to six minutes, and any other error at once
 */
export async function retryScript(execute: (sql: string) => Promise<unknown>, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await execute(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}';\n${sql}`);
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLockError(error)) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

const isLockError = (error: unknown): boolean =>
  error instanceof DriverAdapterError && LOCK_ERRORS.includes(error.cause.originalCode ?? '');
