import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { printDone } from '../print-records.js';
import { collectAssignments } from './collect-assignments.js';
import { addCommand } from './command-group.js';
import { parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['parameters.set'];

const collectParameters = collectAssignments('name=value');

/** Changes parameters of a node in a run. */
export function addSet(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'set', 'change parameters of a node for everything in a run that has not started', [
    'run set 42 scan-1 timeout=30 rate=100',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<node>', 'name of the node')
    .argument('<name=value...>', 'parameters with their new values; `name=` removes the value', collectParameters)
    .action(async (run: string, node: string, values: Record<string, string>, { json }: { json?: boolean }) => {
      const client = await connect(env);
      const body = { nodes: { [node]: values } };
      const record = await client.parameters.set(run, body);
      const names = Object.keys(values).join(', ');
      const sentence = `Run ${run}: ${names} of ${node} changed for everything that has not started`;
      await printDone(sentence, record, { json });
    });
}
