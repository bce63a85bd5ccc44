import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { parseRunNumber } from './parse-number.js';

export function addStop(program: Command, { env }: CliContext): void {
  program
    .command('stop')
    .description('stop a run')
    .argument('<run>', 'number of the run', parseRunNumber)
    .action(async (run: string) => {
      const client = await connect(env, program.opts());
      const { status } = await client.runs.stop(run);
      process.stdout.write(`Run ${run} ${status}\n`);
    });
}
