import { ValidationError } from '@millrace/contracts/kit/api-error';
import { findOversizedGroups } from '@millrace/graph/check/check-size';
import { MAX_NODES } from '@millrace/graph/data/workflow-data';
import { findSizeProblem } from './find-size-problem.js';

/**
 * Limits `previous_data` to the size that a version may have; otherwise comparing it could take seconds.
 * @throws ValidationError
 */
export function checkPreviousData(previous: unknown): void {
  if (previous === undefined) return;
  const [crowded] = findOversizedGroups(previous);
  if (crowded) {
    const { path, count } = crowded;
    throw new ValidationError({
      [`body.previous_data.${path}`]: `has ${count} entries; at most ${MAX_NODES} are allowed`,
    });
  }
  const problem = findSizeProblem(JSON.stringify(previous));
  if (problem !== null) throw new ValidationError({ 'body.previous_data': problem });
}
