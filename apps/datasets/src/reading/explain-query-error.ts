import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { describeSqlError } from '@millrace/query/compile/describe-sql-error';
import { CursorError } from '@millrace/query/compile/encode-cursor';
import { QueryError } from '@millrace/query/parse/query-error';
import { tableBusyError } from '../datasets/dataset-transactions.js';
import { QUERY_CANCELED, LOCK_NOT_AVAILABLE, sqlStateOf } from '../datasets/sql-states.js';

/** Data exceptions (Postgres docs, appendix A, class 22). Only values of the query can cause them. */
const DATA_EXCEPTION = /^22/;
/** A statement that is too complex, or has too many columns or arguments (class 54). */
const TOO_COMPLEX = /^54/;
/** `numeric_value_out_of_range`. Only metrics cause it, because a condition compares with any number. */
const OUT_OF_RANGE = '22003';

/**
 * Turns the error of a failed query into one for the caller. It names the wrong parameter and, if libs/query provides
 * them, the position and what is expected there. Returns errors that the query did not cause unmodified.
 * @param place the part of the request that has the parameters
 */
export function explainQueryError(error: unknown, place: 'query' | 'body' = 'query'): unknown {
  if (error instanceof QueryError) {
    const { part, message, position, expected } = error;
    return new ValidationError({ [`${place}.${part}`]: message, position, expected }, `${part}: ${message}`);
  }
  if (error instanceof CursorError) return new ValidationError({ [`${place}.cursor`]: error.message });
  const state = error instanceof ApiError ? null : sqlStateOf(error);
  if (state === null) return error;
  if (state === LOCK_NOT_AVAILABLE) return tableBusyError();
  if (state === QUERY_CANCELED) return queryTimeoutError(place);
  const isCausedByQuery = DATA_EXCEPTION.test(state) || TOO_COMPLEX.test(state);
  if (!isCausedByQuery) return error;
  const part = state === OUT_OF_RANGE ? 'metrics' : 'q';
  return new ValidationError({ [`${place}.${part}`]: describeSqlError(state) ?? (error as Error).message });
}

export const queryTimeoutError = (place: 'query' | 'body' = 'query'): ApiError =>
  new ValidationError({
    [`${place}.q`]: 'takes too long; simplify it, or add a condition on an indexed column',
  });
