import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Problem } from '@millrace/graph/check/problem';

/**
 * Refuses to publish a version that cannot run. A draft may be unfinished; a published version may not.
 * @param field the request field that names the version
 * @throws ValidationError that lists all problems as `errors`
 */
export function checkPublishable(errors: readonly Problem[], field: string): void {
  const [first] = errors;
  if (!first) return;
  throw new ValidationError(
    { [field]: first.message, errors },
    'The version has errors, so it cannot be published. Fix them and save a new version.',
  );
}
