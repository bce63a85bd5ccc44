import type { Step, StepInput, Language } from '../plan/plan.js';

/**
 * Values of a step's inputs, by `inputKey`. A file is its path `in/<source>/<file>`, a folder is `in/<source>`, both relative
 * to the working directory; text and flags are unmodified. An input without an entry adds no argument.
 */
export type InputValues = Readonly<Record<string, string | boolean>>;

export interface CommandLine {
  /** Argument vector, starting with the program. Not interpreted by a shell. */
  argv: string[];
  /** File for standard output, relative to the working directory; null if standard output is only a log. */
  stdout: string | null;
}

/** File of a step's port `file`, relative to the working directory. */
export const OUTPUT_FILE = 'out/output.txt';

/** `<param>/<source>` for a connected input, `<param>` for a value that is set on the node. */
export const inputKey = (input: Pick<StepInput, 'param' | 'source'>): string =>
  input.source === null ? input.param : `${input.param}/${input.source}`;

/**
 * Builds the command line of a tool or a script: its command or interpreter, its fixed arguments, its inputs in order, and,
 * for a tool, `output_command` with the output file; `>` redirects standard output. A flag that ends in `=` is joined with
 * its value.
 * @throws TypeError for a split or an approval, which run no command
 */
export function buildCommandLine(step: Pick<Step, 'program' | 'inputs'>, values: InputValues): CommandLine {
  const { program } = step;
  if (program.kind === 'split' || program.kind === 'approval') {
    throw new TypeError(`A step of the kind ${program.kind} has no command line`);
  }
  const inputs = step.inputs.flatMap((input) => toArguments(input, findOwnValue(values, inputKey(input))));
  if (program.kind === 'script') {
    return { argv: [...interpreterOf(program.language).argv, ...program.args, ...inputs], stdout: null };
  }
  const argv = [...program.command, ...program.args, ...inputs];
  const output = program.outputParameter === null ? OUTPUT_FILE : `out/${program.outputParameter}`;
  if (program.outputCommand === null) return { argv, stdout: null };
  // Standard output is one file, even for a tool that writes a folder.
  if (program.outputCommand === '>') return { argv, stdout: program.outputParameter === '' ? OUTPUT_FILE : output };
  return { argv: [...argv, ...withFlag(program.outputCommand, output)], stdout: null };
}

const findOwnValue = (values: InputValues, key: string): string | boolean | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

function toArguments(input: StepInput, value: string | boolean | undefined): string[] {
  const { command } = input;
  if (command === null || value === undefined || value === false) return [];
  if (value === true) return command === '' ? [] : [command];
  return withFlag(command, value);
}

function withFlag(flag: string, value: string): string[] {
  if (flag === '') return [value];
  return flag.endsWith('=') ? [flag + value] : [flag, value];
}

interface Interpreter {
  /** Name of the script's file in the working directory. */
  file: string;
  /** Start of the argument vector, including the script's file. */
  argv: string[];
}

const INTERPRETERS: Record<Language, { file: string; argv: string[] }> = {
  bash: { file: 'script.sh', argv: ['bash'] },
  python: { file: 'script.py', argv: ['python3'] },
  node: { file: 'script.js', argv: ['node'] },
  go: { file: 'script.go', argv: ['go', 'run'] },
};

/** Returns how to run a script in its working directory. Programs are found on the PATH. */
export function interpreterOf(language: Language): Interpreter {
  const { file, argv } = INTERPRETERS[language];
  return { file, argv: [...argv, file] };
}
