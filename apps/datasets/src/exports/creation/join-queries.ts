import { ValidationError } from '@millrace/contracts/kit/api-error';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { QueryError } from '@millrace/query/parse/query-error';

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
