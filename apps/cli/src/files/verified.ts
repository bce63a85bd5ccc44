import { createHash } from 'node:crypto';
import { CliError } from '../cli-error.js';

/**
 * Yields a download, and fails at its end if its hash differs.
 * @param file named in the error
 */
export async function* verified(
  body: ReadableStream<Uint8Array>,
  sha256: string,
  file: string,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256)
    throw new CliError(`${file} was damaged during the download: its SHA-256 differs. Try again.`);
}
