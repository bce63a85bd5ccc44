import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Problem } from '@millrace/graph/check/problem';

/**
 * Refuses to publish what could not run: a draft may be unfinished, what everybody is given may not.
 * @param place of the version in the request
 * @throws ValidationError that lists all problems as `errors`
 */
export function checkPublishable(errors: readonly Problem[], place: string): void {
  const [first] = errors;
  if (!first) return;
  throw new ValidationError({ [place]: first.message, errors }, 'The version has errors, so it cannot be published');
}
