import { ValidationError } from '@millrace/contracts/kit/api-error';
import { QueryError, type QueryPart } from '@millrace/query/parse/query-error';

/**
 * Answers what is wrong with a query; other errors go on.
 * @param fields of the body that the parts of the query are from
 * @throws ValidationError
 */
export function refuseQuery(error: unknown, fields: Partial<Record<QueryPart, string>> = {}): never {
  if (!(error instanceof QueryError)) throw error;
  const { part, position, expected, message } = error;
  const field = fields[part] ?? part;
  throw new ValidationError({ [`body.${field}`]: message, position, expected }, `${part}: ${message}`);
}
