import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { describeSqlError } from '@millrace/query/compile/describe-sql-error';
import { CursorError } from '@millrace/query/compile/encode-cursor';
import { QueryError } from '@millrace/query/parse/query-error';
import { tableBusyError } from '../datasets/dataset-transactions.js';
import { QUERY_CANCELED, LOCK_NOT_AVAILABLE, sqlStateOf } from '../datasets/sql-states.js';

/** Values that do not do what is asked of them (Postgres docs, appendix A, class 22): only the query can have brought them there. */
const DATA_EXCEPTION = /^22/;
/** A statement that is too complex, or needs more columns or arguments than there may be (class 54). */
const TOO_COMPLEX = /^54/;
/** `numeric_value_out_of_range`: of figures, since a condition compares with any number. */
const OUT_OF_RANGE = '22003';

/**
 * What the caller is told where a query failed: which parameter is wrong and, as far as libs/query knows, where in it and
 * what could stand there. What is not the query's fault stays as it is.
 * @param place `query` or `body`, whichever the parameters are in
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
  const isOfQuery = DATA_EXCEPTION.test(state) || TOO_COMPLEX.test(state);
  if (!isOfQuery) return error;
  const part = state === OUT_OF_RANGE ? 'metrics' : 'q';
  return new ValidationError({ [`${place}.${part}`]: describeSqlError(state) ?? (error as Error).message });
}

export const queryTimeoutError = (place: 'query' | 'body' = 'query'): ApiError =>
  new ValidationError({
    [`${place}.q`]: 'takes too long; make it simpler, or narrow it by a condition on an indexed column',
  });
