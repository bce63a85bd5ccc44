import { Argument, type Command, type Option } from 'commander';
import type { CliContext } from '../cli-context.js';
import { print } from '../print-records.js';

/** This command calls no operation. */
export const OPERATIONS: string[] = [];

const SCRIPTS = {
  bash: `_millrace() {
  local -a found
  mapfile -t found < <(millrace __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  local one
  # A name with spaces is one word.
  for one in "\${found[@]}"; do COMPREPLY+=("$(printf '%q' "$one")"); done
}
complete -o default -F _millrace millrace
`,
  zsh: `#compdef millrace
_millrace() {
  local -a found
  found=("\${(@f)$(millrace __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then compadd -a found; else _files; fi
}
compdef _millrace millrace
`,
  fish: `complete -c millrace -f -a '(set -l words (commandline -opc) (commandline -ct); millrace __complete $words[2..] 2>/dev/null)'
complete -c millrace -F -n 'set -l words (commandline -opc); test (count $words) -eq 2; and test $words[2] = run'
`,
} as const;

/** Prints the script that completes commands and options in a shell. */
export function addCompletion(program: Command, _: CliContext): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  millrace completion bash >> ~/.bashrc
  millrace completion zsh > "\${fpath[1]}/_millrace"
  millrace completion fish > ~/.config/fish/completions/millrace.fish`,
    )
    .action((shell: keyof typeof SCRIPTS) => print(SCRIPTS[shell]));
}

/** Lists the values that an argument or an option can have, by its name, such as `run` or `profile`; empty if unknown. */
export type ListValues = (name: string) => Promise<string[]>;

/** The commands, options or values that continue a command line whose last word is incomplete. */
export async function complete(program: Command, words: readonly string[], list: ListValues): Promise<string[]> {
  const last = words.at(-1) ?? '';
  const found = await listCandidates(program, words, list);
  return [...new Set(found)].filter((candidate) => candidate.startsWith(last));
}

async function listCandidates(program: Command, words: readonly string[], list: ListValues): Promise<string[]> {
  let command = program;
  let isOperand = false;
  let position = 0;
  let valueOf: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (valueOf !== undefined) {
      valueOf = undefined;
      continue;
    }
    const option = findOption(program, command, word);
    const next = isOperand ? undefined : command.commands.find((one) => one.name() === word);
    if (option !== undefined) valueOf = option.required || option.optional ? option : undefined;
    else if (next !== undefined) command = next;
    else if (!word.startsWith('-')) {
      isOperand = true;
      position += 1;
    }
  }
  if (valueOf !== undefined) return valueOf.argChoices ?? (await list(valueOf.name()));
  if (words.at(-1)?.startsWith('-')) return listOptions(program, command);
  const subcommands = isOperand ? [] : command.commands.map((one) => one.name());
  const argument = command.registeredArguments[position] ?? command.registeredArguments.findLast((one) => one.variadic);
  const values = argument === undefined ? [] : (argument.argChoices ?? (await list(argument.name())));
  return [...subcommands, ...values];
}

const findOption = (program: Command, command: Command, word: string): Option | undefined =>
  [...command.options, ...program.options].find(({ long, short }) => word === long || word === short);

const listOptions = (program: Command, command: Command): string[] => [
  ...[...command.options, ...program.options].flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])),
  '--help',
];
