import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { collectAssignments } from './collect-assignments.js';
import { parseRunNumber } from './parse-number.js';

const collectParameters = collectAssignments('name=value');

/** Changes parameters of a node in a run. */
export function addSet(program: Command, { env }: CliContext): void {
  program
    .command('set')
    .description('change parameters of a node for everything in a run that has not started')
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<node>', 'name of the node')
    .argument('<name=value...>', 'parameters with their new values; `name=` removes the value', collectParameters)
    .action(async (run: string, node: string, values: Record<string, string>) => {
      const client = await connect(env, program.opts());
      const body = { nodes: { [node]: values } };
      await client.parameters.set(run, body);
      const names = Object.keys(values).join(', ');
      process.stdout.write(`Run ${run}: ${names} of ${node} changed for everything that has not started\n`);
    });
}
