import { Prompt } from './account/prompt.js';
import { CliError } from './cli-error.js';

/**
 * Asks the user at the terminal before something is lost.
 * @param yes whether the user has confirmed in advance, by `--yes`
 * @throws CliError if the user declines, or if there is no terminal and no `--yes`
 */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new CliError(`${question} Add --yes to confirm. Nothing was changed.`);
  const prompt = new Prompt();
  try {
    const reply = await prompt.readLine(`${question} [y/N] `);
    if (!/^\s*y(es)?\s*$/i.test(reply)) throw new CliError('Nothing was changed.');
  } finally {
    prompt.close();
  }
}
