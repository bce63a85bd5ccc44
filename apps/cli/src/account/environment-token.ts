import { CliError } from '../cli-error.js';
import type { CliEnv } from '../env.js';

/**
 * MILLRACE_TOKEN, or null where it is not set. A token does not say which server it is for: it goes to one that the user
 * has named, never to one that was looked up.
 */
export function environmentToken({ token, url }: CliEnv, named: string | undefined): string | null {
  if (token !== null && named === undefined && url === null) {
    throw new CliError('MILLRACE_TOKEN is set, but no server. Set MILLRACE_URL too, or use --url.');
  }
  return token;
}
