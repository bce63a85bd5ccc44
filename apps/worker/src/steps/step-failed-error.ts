/** A step failed. The message is for the user of the workflow. */
export class StepFailedError extends Error {
  override name = 'StepFailedError';
}
