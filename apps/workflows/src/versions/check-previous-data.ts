import { ValidationError } from '@millrace/contracts/kit/api-error';
import { MAX_VERSION_DATA_BYTES } from '@millrace/contracts/workflows/versions';
import { crowdedGroups } from '@millrace/graph/check-size';
import { MAX_NODES } from '@millrace/graph/workflow-data';

/**
 * Holds the data that an author began with to the size that a version may have; else comparing it could take seconds.
 * @throws ValidationError
 */
export function checkPreviousData(previous: unknown): void {
  if (previous === undefined) return;
  const [crowded] = crowdedGroups(previous);
  if (crowded) {
    const { path, count } = crowded;
    throw new ValidationError({ [`body.previous_data.${path}`]: `holds ${count}; ${MAX_NODES} are allowed` });
  }
  const bytes = Buffer.byteLength(JSON.stringify(previous));
  if (bytes <= MAX_VERSION_DATA_BYTES) return;
  const problem = `is ${bytes} bytes long as JSON; at most ${MAX_VERSION_DATA_BYTES} are allowed`;
  throw new ValidationError({ 'body.previous_data': problem });
}
