/** Why a step failed, in words for its user. */
export class StepFailure extends Error {
  override name = 'StepFailure';
}
