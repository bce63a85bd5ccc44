import type { Logger } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';

/**
 * Runs a handler and logs at level debug how long it took and how it ended: `succeeded`, the code of an ApiError, or
 * `failed`. The handler that fails logs the error itself, or its caller does.
 * @param entry `message` and fields; their values must not be secret
 */
export async function logHandling<T>(
  logger: Logger,
  entry: { message: string } & Record<string, unknown>,
  handle: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const logEnd = (outcome: string) => logger.debug({ ...entry, durationMs: elapsedMs(startedAt), outcome });
  try {
    const result = await handle();
    logEnd('succeeded');
    return result;
  } catch (error) {
    logEnd(outcomeOf(error));
    throw error;
  }
}

/** Milliseconds since a `performance.now()`, with one decimal. */
export const elapsedMs = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10;

const outcomeOf = (error: unknown): string => (error instanceof ApiError ? error.code : 'failed');
