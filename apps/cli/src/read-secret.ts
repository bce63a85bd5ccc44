import { text } from 'node:stream/consumers';
import { Prompt } from './account/prompt.js';

/**
 * Reads a secret value: at a terminal one line, which is not shown; from a pipe everything, without the last line end. A value
 * is never an argument, because other users of the machine can list the arguments of processes.
 */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const prompt = new Prompt();
  try {
    return await prompt.readLine(question, { secret: true });
  } finally {
    prompt.close();
  }
}
