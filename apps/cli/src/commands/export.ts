import { writeFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { MillraceClient, Workflow } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';

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
      else await writeFile(output, text);
    });
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id of the workflow with that id or name. */
export async function findWorkflow(client: MillraceClient, name: string): Promise<string> {
  if (ID.test(name)) return name;
  const found: Workflow[] = [];
  for await (const workflow of client.workflows.list({ search: name })) {
    if (workflow.name === name) found.push(workflow);
  }
  const [only] = found;
  if (!only) throw new CliError(`No workflow named "${name}" exists in the spaces that you may read.`);
  if (found.length === 1) return only.id;
  const lines = found.map(({ id, space_name }) => `  ${id}  in "${space_name}"`);
  throw new CliError(`${found.length} workflows are named "${name}". Use the id of one of them:\n${lines.join('\n')}`);
}
