import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import { downloadOutputs } from '../files/download-outputs.js';
import type { Session } from '../session.js';

interface Options {
  name?: string[];
  dir?: string;
}

export function addOutput(program: Command, { env }: Session): void {
  program
    .command('output')
    .description('download the named outputs of a run')
    .argument('<run>', 'number of the run')
    .option('-n, --name <label...>', 'these outputs alone')
    .option('-d, --dir <dir>', 'where they go; default millrace-<run>')
    .action(async (run: string, given: Options) => {
      const client = await connect(env, program.opts());
      const downloads = await downloadOutputs(client, run, given.dir ?? `millrace-${run}`, given.name);
      for (const { file } of downloads) process.stdout.write(`${file}\n`);
      if (downloads.length === 0) process.stderr.write(`Run ${run} has no named outputs yet.\n`);
    });
}
