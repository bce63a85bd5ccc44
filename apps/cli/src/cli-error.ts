import { EXIT, type ExitCode } from './cli-context.js';

/** An expected failure of a command. The user sees its message unmodified and without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, { exitCode = EXIT.usage, ...options }: ErrorOptions & { exitCode?: ExitCode } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The user named something that does not exist on the server. */
export const notFound = (message: string): CliError => new CliError(message, { exitCode: EXIT.notFound });
