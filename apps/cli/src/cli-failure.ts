/** An expected failure of a command. The user sees its message unmodified and without a stack. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}
