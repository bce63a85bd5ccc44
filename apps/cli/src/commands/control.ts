import { InvalidArgumentError, type Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { printDone } from '../print-records.js';
import { addCommand } from './command-group.js';
import { parseCountUpTo, parseRunNumber } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['runs.pause', 'runs.resume', 'runs.update'];

const COMMANDS = [
  { name: 'pause', description: 'start nothing new in a run until it is resumed' },
  { name: 'resume', description: 'resume a paused run' },
] as const;

interface UpdateOptions {
  name?: string;
  parallelism?: number;
  priority?: number;
  /** From `--pin` and `--no-pin`. */
  pin?: boolean;
  json?: boolean;
}

const MAX_PRIORITY = 10;

function parsePriority(text: string): number {
  const priority = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(priority) <= MAX_PRIORITY) return priority;
  throw new InvalidArgumentError(`It must be an integer from -${MAX_PRIORITY} to ${MAX_PRIORITY}.`);
}

/** Commands that change a run while it is under way. */
export function addControl(parent: Command, { env }: CliContext): void {
  for (const { name, description } of COMMANDS) {
    addCommand(parent, name, description, [`run ${name} 42`])
      .argument('<run>', 'number of the run', parseRunNumber)
      .action(async (run: string, { json }: { json?: boolean }) => {
        const client = await connect(env);
        const record = await client.runs[name](run);
        const { status, paused, run_insights: counts } = record;
        const state = paused ? `${status}, paused` : status;
        const sentence = `Run ${run} ${state}: ${counts.running} subjobs running, ${counts.pending} pending`;
        await printDone(sentence, record, { json });
      });
  }
  addCommand(parent, 'update', 'change a run, also while it is under way', [
    'run update 42 --parallelism 50',
    'run update 42 --name "nightly scan" --pin',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('--name <name>', 'another name')
    .option('-p, --parallelism <n>', 'maximum number of subjobs that run at the same time', parseCountUpTo(10_000))
    .option('--priority <n>', 'from -10 to 10: runs with a higher one get free slots first', parsePriority)
    .option('--pin', 'mark the run as one to keep')
    .option('--no-pin', 'remove that mark')
    .action(async (run: string, { name, parallelism, priority, pin, json }: UpdateOptions) => {
      const body = {
        ...(name !== undefined && { name }),
        ...(parallelism !== undefined && { parallelism }),
        ...(priority !== undefined && { priority }),
        ...(pin !== undefined && { pinned: pin }),
      };
      if (Object.keys(body).length === 0) {
        throw new CliError('Nothing to change. Use --name, --parallelism, --priority, --pin or --no-pin.');
      }
      const client = await connect(env);
      const record = await client.runs.update(run, body);
      const pinned = record.pinned ? ', pinned' : '';
      const sentence = `Run ${run} "${record.name}": parallelism ${record.parallelism}, priority ${record.priority}${pinned}`;
      await printDone(sentence, record, { json });
    });
}
