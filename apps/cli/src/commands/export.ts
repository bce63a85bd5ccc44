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
  full?: boolean;
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
    .option('--full', 'write nodes of library modules with all that was copied from the module')
    .action(async (workflow: string, { output, format, full, json }: Options) => {
      const client = await connect(env);
      const id = await findWorkflow(client, workflow);
      const chosen = format ?? (json || output?.endsWith('.json') ? 'json' : 'yaml');
      const download = await client.workflows.export(id, { format: chosen, form: full ? 'full' : 'compact' });
      const text = await download.text();
      if (output === undefined) process.stdout.write(text);
      else await writeAtomically(output, text);
    });
}
