import { ValidationError } from '@millrace/contracts/kit/api-error';
import { parseQuery } from '@millrace/query/parse-query';
import { QueryError } from '@millrace/query/query-error';

/** Both conditions as one text, each of which can be parsed. @throws ValidationError where together they are too much */
export function joinQueries(first: string, second: string): string {
  const both = [first, second].filter((text) => text.trim() !== '');
  if (both.length < 2) return both.join('');
  const joined = both.map((text) => `(${text})`).join(' AND ');
  try {
    parseQuery(joined);
    return joined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new ValidationError({ 'body.q': `with the view's own: ${error.message}` });
  }
}
