/** What the command could not do, told to the user as it stands and without a stack. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
}
