import { CliError } from '../cli-error.js';
import { TOKEN } from '../env.js';
import { Prompt } from './prompt.js';

/**
 * The token of `--token`: the one given, or for `-` the first line of standard input.
 * @throws CliError if it cannot be a token; the message does not repeat it
 */
export async function readToken(given: string, url: string): Promise<string> {
  const token = (given === '-' ? await promptForToken(url) : given).trim();
  if (!TOKEN.test(token))
    throw new CliError(
      'This is not a token: it is empty, or has spaces or other characters that a token does not have.',
    );
  return token;
}

async function promptForToken(url: string): Promise<string> {
  process.stderr.write(`Signing in to ${url}\n`);
  const prompt = new Prompt();
  try {
    return await prompt.readLine('API token: ', { secret: true });
  } finally {
    prompt.close();
  }
}
