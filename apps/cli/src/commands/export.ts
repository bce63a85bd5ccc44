import { Option, type Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { writeAtomically } from '../files/write-atomically.js';
import { findWorkflow } from '../resolve-names.js';

interface Options {
  output?: string;
  format?: 'yaml' | 'json';
}

export function addExport(program: Command, { env }: CliContext): void {
  program
    .command('export')
    .description('export a workflow as a file for `run`')
    .argument('<workflow>', 'id or name of the workflow')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .addOption(
      new Option('--format <format>', 'format of the file (default: yaml, or the extension of the file)').choices([
        'yaml',
        'json',
      ]),
    )
    .action(async (workflow: string, { output, format }: Options) => {
      const client = await connect(env, program.opts());
      const id = await findWorkflow(client, workflow);
      const query = { format: format ?? (output?.endsWith('.json') ? 'json' : 'yaml') } as const;
      const download = await client.workflows.export(id, query);
      const text = await download.text();
      if (output === undefined) process.stdout.write(text);
      else await writeAtomically(output, text);
    });
}
