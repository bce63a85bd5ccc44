import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Problem } from '@millrace/graph/check/problem';
import type { InvalidParamsError, ParamValues } from '@millrace/graph/params/set-params';

/** Characters of all changed parameters of a run as JSON. */
const MAX_STORED = 256 * 1024;

/** A request sets parameters that cannot be set, or not to these values. */
export class InvalidParametersError extends ValidationError {}

/** The place of a node, or of a parameter of it, below the field of a request that has the parameters. */
export const placeOf = (field: string, node: string | undefined, param: string | undefined): string =>
  [field, node, param].filter((part) => part !== undefined).join('.');

/** Parameters that do not exist, or get their value from elsewhere. */
export const describeUnsettable = (field: string, { problems }: InvalidParamsError): InvalidParametersError =>
  new InvalidParametersError(
    Object.fromEntries(problems.map(({ node, param, problem }) => [placeOf(field, node, param), problem])),
  );

/** Values with which the workflow would not be valid. */
export function describeInvalidValues(field: string, problems: readonly Problem[]): InvalidParametersError {
  const details = problems.map(({ node, port, message }) => [placeOf(field, node, port), message] as const);
  const first = problems[0]?.message ?? '';
  return new InvalidParametersError(
    { ...Object.fromEntries(details), errors: problems },
    `The workflow would not be valid with these values. The first problem is: ${first}`,
  );
}

/** @param together what the values include, in words that follow the size; empty if the request has them all */
export function requireStorable(field: string, values: ParamValues, together = ''): void {
  const size = JSON.stringify(values).length;
  if (size <= MAX_STORED) return;
  throw new InvalidParametersError({
    [field]: `must have at most ${MAX_STORED} characters as JSON${together} (got ${size})`,
  });
}
