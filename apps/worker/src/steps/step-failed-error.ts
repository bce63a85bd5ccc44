/** Why a step failed, in words for its user. */
export class StepFailedError extends Error {
  override name = 'StepFailedError';
}
