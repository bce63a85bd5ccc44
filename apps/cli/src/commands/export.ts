import { writeFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Workflow } from '@millrace/sdk/records';
import { exchange, workflows } from '@millrace/sdk/resources';
import { connect } from '../account/connect.js';
import { CliFailure } from '../cli-failure.js';
import type { Session } from '../session.js';

interface Options {
  output?: string;
  format?: 'yaml' | 'json';
}

export function addExport(program: Command, { env }: Session): void {
  program
    .command('export')
    .description('write a workflow as a file, which `run` takes')
    .argument('<workflow>', 'its id, or its name')
    .option('-o, --output <file>', 'default standard output')
    .addOption(
      new Option('--format <format>', 'default yaml, or what the name of the file ends with').choices(['yaml', 'json']),
    )
    .action(async (asked: string, { output, format }: Options) => {
      const client = await connect(env, program.opts());
      const id = await findWorkflow(client, asked);
      const query = { format: format ?? (output?.endsWith('.json') ? 'json' : 'yaml') } as const;
      const response = await client.send(exchange.exportWorkflow, { params: { id }, query }, { accept: '*/*' });
      const text = await response.text();
      if (output === undefined) process.stdout.write(text);
      else await writeFile(output, text);
    });
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function findWorkflow(client: MillraceClient, asked: string): Promise<string> {
  if (ID.test(asked)) return asked;
  const found: Workflow[] = [];
  for await (const workflow of client.each(workflows.listWorkflows, { query: { search: asked } })) {
    if (workflow.name === asked) found.push(workflow);
  }
  const [only] = found;
  if (!only) throw new CliFailure(`There is no workflow "${asked}" in the spaces that you may read.`);
  if (found.length === 1) return only.id;
  const lines = found.map(({ id, space_name }) => `  ${id}  in "${space_name}"`);
  throw new CliFailure(`${found.length} workflows have the name "${asked}". Name one by its id:\n${lines.join('\n')}`);
}
