import { ValidationError } from '@millrace/contracts/kit/api-error';
import { QueryError, type QueryPart } from '@millrace/query/parse/query-error';

/**
 * Turns the error of a query into a ValidationError that names the field of the request.
 * @param fields fields of the body that the parts of the query come from, if they differ
 * @throws ValidationError; any other error unmodified
 */
export function refuseQuery(error: unknown, fields: Partial<Record<QueryPart, string>> = {}): never {
  if (!(error instanceof QueryError)) throw error;
  const { part, position, expected, message } = error;
  const field = fields[part] ?? part;
  throw new ValidationError({ [`body.${field}`]: message, position, expected }, `${part}: ${message}`);
}
