/** An expected failure of a command. The user sees its message unmodified and without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
