import { MillraceError } from '@millrace/client';
import { CliError } from '../cli-error.js';

/**
 * Waits for an operation that sends the text of a workflow file.
 * @throws CliError with the position in the file if the server does not accept its YAML: it refuses aliases, for example
 */
export async function explainUnreadableFile<T>(path: string, response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    const problem = error instanceof MillraceError && error.status === 400 ? error.details?.['body.yaml'] : undefined;
    throw typeof problem === 'string' ? new CliError(`${path} is not a workflow file:\n  ${problem}`) : error;
  }
}
