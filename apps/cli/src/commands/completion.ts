import { Argument, type Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { print } from '../print-records.js';

/** This command calls no operation. */
export const OPERATIONS: string[] = [];

const SCRIPTS = {
  bash: `_millrace() {
  local IFS=$'\\n'
  COMPREPLY=($(millrace __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
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
complete -c millrace -F -n 'contains -- run (commandline -opc)'
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

/** The commands or options that continue a command line whose last word is incomplete. */
export function complete(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) command = command.commands.find((one) => one.name() === word) ?? command;
  const found = last.startsWith('-')
    ? [...command.options, ...program.options]
        .flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))
        .concat('--help')
    : command.commands.map((one) => one.name());
  return [...new Set(found)].filter((candidate) => candidate.startsWith(last));
}
