import type { Limits } from '@millrace/isolation/limits/limits';
import type { Command } from '@millrace/isolation/slot/running-command';

/** Any text as one word of a shell. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Writes the file that run-step.sh reads: shell code without any effect of its own.
 * @throws Error if a text contains a NUL, which no program can get
 */
export function writeStartFile({ argv, env }: Command, limits: Limits): string {
  const [program = '', ...rest] = argv;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if ([...argv, ...variables].some((text) => text.includes('\0')))
    throw new Error('A command cannot have a NUL in an argument or a variable.');
  const words = [...variables.map(quoteWord), '"$file"', ...rest.map(quoteWord)];
  return [
    `program=${quoteWord(program)}`,
    ...(env['PATH'] === undefined ? [] : [`search_path=${quoteWord(env['PATH'])}`]),
    `max_open_files=${limits.openFiles}`,
    `max_file_bytes=${limits.fileBytes}`,
    `with_command() { "$@" ${words.join(' ')}; }`,
    '',
  ].join('\n');
}
