import type { Command } from 'commander';
import type { MillraceClient } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';

/** A command with subcommands for one kind of record, such as `millrace space list`. */
export class CommandGroup {
  readonly parent: Command;
  private readonly examples: string[] = [];

  constructor(
    program: Command,
    private readonly context: CliContext,
    name: string,
    description: string,
  ) {
    this.parent = program.command(name).description(description);
    this.parent.addHelpText('after', () => (this.examples.length === 0 ? '' : formatExamples(this.examples)));
  }

  /** Adds a subcommand with `--json`. @param examples shown by its help, without `millrace` */
  add(name: string, description: string, examples: readonly string[]): Command {
    this.examples.push(...examples.slice(0, 1));
    return describeCommand(this.parent.command(name), description, examples);
  }

  connect(): Promise<MillraceClient> {
    return connect(this.context.env);
  }
}

/** Adds a command of its own with `--json`, such as `millrace push`. */
export const addCommand = (program: Command, name: string, description: string, examples: readonly string[]): Command =>
  describeCommand(program.command(name), description, examples);

function describeCommand(command: Command, description: string, examples: readonly string[]): Command {
  return command.description(description).option('--json', 'print JSON').addHelpText('after', formatExamples(examples));
}

function formatExamples(examples: readonly string[]): string {
  const lines = examples.map((example) => `  millrace ${example}`);
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`;
}
