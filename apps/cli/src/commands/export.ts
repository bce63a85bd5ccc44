import { Option, type Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { writeAtomically } from '../files/write-atomically.js';
import { findWorkflow } from '../resolve-names.js';
import { addCommand } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['workflows.export'];

interface Options {
  output?: string;
  format?: 'yaml' | 'json';
  json?: boolean;
}

export function addExport(program: Command, { env }: CliContext): void {
  addCommand(program, 'export', 'export a workflow as a file for `run`', [
    'export "port scan" --output port-scan.yaml',
    'export "port scan" --json',
  ])
    .argument('<workflow>', 'id or name of the workflow')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .addOption(
      new Option('--format <format>', 'format of the file (default: yaml, or the extension of the file)').choices([
        'yaml',
        'json',
      ]),
    )
    .action(async (workflow: string, { output, format, json }: Options) => {
      const client = await connect(env);
      const id = await findWorkflow(client, workflow);
      const query = { format: format ?? (json || output?.endsWith('.json') ? 'json' : 'yaml') } as const;
      const download = await client.workflows.export(id, query);
      const text = await download.text();
      if (output === undefined) process.stdout.write(text);
      else await writeAtomically(output, text);
    });
}
