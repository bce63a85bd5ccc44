import { ValidationError } from '@millrace/contracts/kit/api-error';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { QueryError } from '@millrace/query/parse/query-error';

/**
 * A view's condition and one that narrows it as one text; each of them can be parsed.
 * @param place of the second in the request
 * @throws ValidationError where together they are too much: no position is told, for nobody wrote the whole
 */
export function joinQueries(first: string, second: string, place = 'body.q'): string {
  const both = [first, second].filter((text) => text.trim() !== '');
  if (both.length < 2) return both.join('');
  const joined = both.map((text) => `(${text})`).join(' AND ');
  try {
    parseQuery(joined);
    return joined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new ValidationError({ [place]: `with the view's own: ${error.message}` });
  }
}
