import { type Step, type StepInput } from '../plan/plan.js';
import { interpreterOf } from './interpreter-of.js';

/**
 * Values of a step's inputs by `inputKey`. Text and flags as they are; a file as its path `in/<source>/<file>` and a
 * folder as `in/<source>`, both relative to the working directory. An input without an entry gives no argument.
 */
export type InputValues = Readonly<Record<string, string | boolean>>;

export interface CommandLine {
  /** Argument vector, the program first; never goes through a shell. */
  argv: string[];
  /** File, relative to the working directory, that standard output goes to; null where it is a log and no more. */
  stdout: string | null;
}

/** File, relative to the working directory, that is a step's file port. */
export const OUTPUT_FILE = 'out/output.txt';

/** `<param>/<source>` for what comes from somewhere, `<param>` for a value written on the node. */
export const inputKey = (input: Pick<StepInput, 'param' | 'source'>): string =>
  input.source === null ? input.param : `${input.param}/${input.source}`;

/**
 * The command line of a tool or a script (interface-gaps, section 3): its command or interpreter, its fixed arguments,
 * its inputs in order, then, for a tool, `output_command` with the output file, where `>` stands for standard output.
 * A flag that ends in `=` is joined with its value. Throws on a splitting step, which runs no command.
 */
export function buildCommandLine(step: Pick<Step, 'program' | 'inputs'>, values: InputValues): CommandLine {
  const { program } = step;
  if (program.kind === 'split') throw new TypeError('a splitting step has no command line');
  const inputs = step.inputs.flatMap((input) => inputArguments(input, ownValue(values, inputKey(input))));
  if (program.kind === 'script') {
    return { argv: [...interpreterOf(program.language).argv, ...program.args, ...inputs], stdout: null };
  }
  const argv = [...program.command, ...program.args, ...inputs];
  const target = program.outputParameter === null ? OUTPUT_FILE : `out/${program.outputParameter}`;
  if (program.outputCommand === null) return { argv, stdout: null };
  // Standard output is one file, whatever else a tool may write.
  if (program.outputCommand === '>') return { argv, stdout: program.outputParameter === '' ? OUTPUT_FILE : target };
  return { argv: [...argv, ...withFlag(program.outputCommand, target)], stdout: null };
}

const ownValue = (values: InputValues, key: string): string | boolean | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

function inputArguments(input: StepInput, value: string | boolean | undefined): string[] {
  const { command } = input;
  if (command === null || value === undefined || value === false) return [];
  if (value === true) return command === '' ? [] : [command];
  return withFlag(command, value);
}

function withFlag(flag: string, value: string): string[] {
  if (flag === '') return [value];
  return flag.endsWith('=') ? [flag + value] : [flag, value];
}
