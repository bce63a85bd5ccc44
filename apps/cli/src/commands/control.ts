import { InvalidArgumentError, type Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { parseCountUpTo, parseRunNumber } from './parse-number.js';

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
}

const MAX_PRIORITY = 10;

function parsePriority(text: string): number {
  const priority = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(priority) <= MAX_PRIORITY) return priority;
  throw new InvalidArgumentError(`It must be an integer from -${MAX_PRIORITY} to ${MAX_PRIORITY}.`);
}

/** Commands that change a run while it is under way. */
export function addControl(program: Command, { env }: CliContext): void {
  for (const { name, description } of COMMANDS) {
    program
      .command(name)
      .description(description)
      .argument('<run>', 'number of the run', parseRunNumber)
      .action(async (run: string) => {
        const client = await connect(env, program.opts());
        const { status, paused, run_insights: counts } = await client.runs[name](run);
        const state = paused ? `${status}, paused` : status;
        process.stdout.write(`Run ${run} ${state}: ${counts.running} subjobs running, ${counts.pending} pending\n`);
      });
  }
  program
    .command('update')
    .description('change a run, also while it is under way')
    .argument('<run>', 'number of the run', parseRunNumber)
    .option('--name <name>', 'another name')
    .option('-p, --parallelism <n>', 'maximum number of subjobs that run at the same time', parseCountUpTo(10_000))
    .option('--priority <n>', 'from -10 to 10: runs with a higher one get free slots first', parsePriority)
    .option('--pin', 'mark the run as one to keep')
    .option('--no-pin', 'remove that mark')
    .action(async (run: string, { name, parallelism, priority, pin }: UpdateOptions) => {
      const body = {
        ...(name !== undefined && { name }),
        ...(parallelism !== undefined && { parallelism }),
        ...(priority !== undefined && { priority }),
        ...(pin !== undefined && { pinned: pin }),
      };
      if (Object.keys(body).length === 0) {
        throw new CliError('Nothing to change. Use --name, --parallelism, --priority, --pin or --no-pin.');
      }
      const client = await connect(env, program.opts());
      const record = await client.runs.update(run, body);
      const pinned = record.pinned ? ', pinned' : '';
      process.stdout.write(
        `Run ${run} "${record.name}": parallelism ${record.parallelism}, priority ${record.priority}${pinned}\n`,
      );
    });
}
