import type { Command } from 'commander';
import { type Run, isFinalRun } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { downloadOutputs } from '../files/download-outputs.js';
import { parseRunNumber } from './parse-number.js';

interface Options {
  name?: string[];
  dir?: string;
}

export function addOutput(program: Command, { env }: CliContext): void {
  program
    .command('output')
    .description('download the named outputs of a run')
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('-n, --name <label...>', 'download only these outputs')
    .option('-d, --dir <dir>', 'folder for the outputs (default: millrace-<run>)')
    .action(async (run: string, { dir, name }: Options) => {
      const client = await connect(env, program.opts());
      const downloads = await downloadOutputs(client, run, dir ?? `millrace-${run}`, name);
      for (const { file } of downloads) process.stdout.write(`${file}\n`);
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
