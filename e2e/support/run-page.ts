import { spawn } from 'node:child_process';
import type { Block } from './read-page.js';
import { REPOSITORY } from './repository.js';

const MARK = '@@ end of block';

/** The line of a block of commands, its actual output, and the block with its documented output. */
export interface ExecutedBlock {
  line: number;
  output: string;
  expected?: Block;
}

export interface PageOptions {
  env: Record<string, string>;
  /** Commands before the first block. */
  prelude: string;
  /** Replacements in the page's commands: its example addresses become the test's addresses. */
  replace: Record<string, string>;
  cwd: string;
}

/**
 * Executes the commands of a page in one shell, in order, as a reader would. A `json` or `text` block directly after commands
 * is the end of their documented output.
 * @throws Error with everything printed, if a command fails
 */
export async function runPage(blocks: readonly Block[], options: PageOptions): Promise<ExecutedBlock[]> {
  const commands = blocks.filter(({ language, notHere }) => language === 'sh' && notHere === undefined);
  const script = commands.map(({ text, line }) => `${replaceAll(text, options.replace)}\necho '${MARK} ${line}'\n`);
  const output = await runBash(`set -euo pipefail\n${options.prelude}\n${script.join('')}`, options);
  let rest = output;
  return commands.map((block) => {
    const mark = `${MARK} ${block.line}\n`;
    const end = rest.indexOf(mark);
    const printed = rest.slice(0, end);
    rest = rest.slice(end + mark.length);
    const next = blocks[blocks.indexOf(block) + 1];
    const isExpected = next !== undefined && ['json', 'text'].includes(next.language);
    return { line: block.line, output: printed, ...(isExpected && { expected: next }) };
  });
}

const replaceAll = (text: string, replacements: Record<string, string>): string =>
  Object.entries(replacements).reduce((result, [from, to]) => result.replaceAll(from, to), text);

function runBash(script: string, { env, cwd }: PageOptions): Promise<string> {
  const shell = spawn('bash', ['-c', script], {
    cwd,
    env: { PATH: process.env.PATH, REPOSITORY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    shell.on('error', reject);
    shell.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`The page's commands exited with code ${code}:\n${output}\n${errors}`));
    });
  });
}
