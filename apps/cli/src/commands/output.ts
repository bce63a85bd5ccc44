import type { Command } from 'commander';
import { type Run, isFinalRun } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { downloadOutputs } from '../files/download-outputs.js';
import { print, toJson } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['outputs.listOfRun', 'outputs.download', 'runs.get'];

interface Options {
  name?: string[];
  dir?: string;
  json?: boolean;
}

export function addOutput(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'output', 'download the named outputs of a run', [
    'run output 42',
    'run output 42 --name report --dir results',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('-n, --name <label...>', 'download only these outputs')
    .option('-d, --dir <dir>', 'folder for the outputs (default: millrace-<run>)')
    .action(async (run: string, { dir, name, json }: Options) => {
      const client = await connect(env);
      const downloads = await downloadOutputs(client, run, dir ?? `millrace-${run}`, name);
      if (json) await print(toJson(downloads.map(({ output, file }) => ({ ...output, file }))));
      else for (const { file } of downloads) await print(`${file}\n`);
      if (downloads.length > 0) return;
      const { status, error } = await client.runs.get(run);
      const message = explainNoOutputs({ id: run, status, error });
      if (status !== 'COMPLETED') throw new CliError(message);
      process.stderr.write(`${message}\n`);
    });
}

/** Explains why a run has no named outputs: it failed, it has not ended, or its workflow names none. */
export function explainNoOutputs({
  id,
  status,
  error,
}: Pick<Run, 'id' | 'status'> & { error?: string | undefined }): string {
  if (status === 'COMPLETED') {
    return `Run ${id} is COMPLETED. It has no named outputs, because no node of its workflow has a label of its own (meta.label).`;
  }
  if (!isFinalRun(status)) return `Run ${id} is ${status} and has no named outputs yet. Try again when it has ended.`;
  const reason = error === undefined ? '' : ` (${error})`;
  return `Run ${id} ${status === 'STOPPED' ? 'was stopped' : 'failed'} before it produced a named output${reason}. To see why: npx millrace logs ${id} <node> --stream stderr`;
}
