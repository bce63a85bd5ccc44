import { ValidationError } from '@millrace/contracts/kit/api-error';
import { checkQuery } from '@millrace/query/fields/check-query';
import type { Column } from '@millrace/query/fields/column';
import { parseOrder } from '@millrace/query/parse/parse-order';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { parseSelect } from '@millrace/query/parse/parse-select';
import { QueryError } from '@millrace/query/parse/query-error';

export interface SavedQuery {
  q: string;
  select: string;
  order: string;
}

/**
 * Checks a saved query, or a part of one, against the columns of its table.
 * @param prefix of the keys in `details`: `body` when the query is saved, `view` or `query` when it is used
 * @throws ValidationError with the position of the error in its part and what is expected there
 */
export function checkSavedQuery({ q, select, order }: SavedQuery, columns: readonly Column[], prefix: string): void {
  try {
    checkQuery(parseQuery(q), columns, { now: new Date() });
    parseSelect(select, columns);
    parseOrder(order, columns);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { part, message, position, expected } = error;
    throw new ValidationError({ [`${prefix}.${part}`]: message, position, expected }, `${part}: ${message}`);
  }
}

/**
 * Joins a view's condition and one that narrows it. Each of them is valid on its own.
 * @param field field of the request that has the second one
 * @throws ValidationError if the combination is too complex, without a position, because no user wrote the whole text
 */
export function joinQueries(first: string, second: string, field = 'body.q'): string {
  const queries = [first, second].filter((text) => text.trim() !== '');
  if (queries.length < 2) return queries.join('');
  const joined = queries.map((text) => `(${text})`).join(' AND ');
  try {
    parseQuery(joined);
    return joined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new ValidationError({ [field]: `is not valid together with the view's own query: ${error.message}` });
  }
}
