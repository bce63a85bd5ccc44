import { once } from 'node:events';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Subjob } from '@millrace/sdk/records';
import { subjobs } from '@millrace/sdk/resources';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';

interface Options {
  follow?: boolean;
  stream: 'stdout' | 'stderr';
  task?: string;
  attempt?: number;
  tail?: number;
}

export function addLogs(program: Command, { env }: CliContext): void {
  program
    .command('logs')
    .description('print the log of a node of a run')
    .argument('<run>', 'number of the run')
    .argument('<node>', 'name of the node')
    .option('-f, --follow', 'continue until the node has ended')
    .option('-t, --task <n>', 'number of the task, if the node is split; starts at 1')
    .option('-a, --attempt <n>', 'number of the attempt (default: the last one)', toNumber)
    .option('-n, --tail <lines>', 'print only the last lines', toNumber)
    .addOption(new Option('--stream <stream>', 'stream to print').choices(['stdout', 'stderr']).default('stdout'))
    .action(async (run: string, node: string, given: Options) => {
      const client = await connect(env, program.opts());
      const subjob = await findSubjob(client, run, node, given.task);
      await printLog(client, run, subjob.id, given);
    });
}

/** With `follow`, prints the log of each attempt in turn until the subjob has ended. */
async function printLog(client: MillraceClient, run: string, subjob: string, given: Options): Promise<void> {
  const { stream, follow = false, tail } = given;
  for (let attempt = given.attempt, first = true; ; first = false) {
    let printed: number | undefined;
    const options = { stream, follow, onAttempt: (number: number) => (printed = number) };
    const which = { ...(attempt !== undefined && { attempt }), ...(first && tail !== undefined && { tail }) };
    for await (const chunk of client.followLog(run, subjob, { ...options, ...which })) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    }
    if (!follow || given.attempt !== undefined || printed === undefined) return;
    const { attempts, max_attempts } = await client.call(subjobs.getSubjob, { params: { id: run, subjobId: subjob } });
    const ended = attempts.find((one) => one.attempt === printed);
    const next = attempts.find((one) => one.attempt === (printed ?? 0) + 1);
    if (!next) return;
    const why = ended?.message === undefined ? '' : `: ${ended.message}`;
    process.stderr.write(`Attempt ${printed} of ${max_attempts} failed${why}\n`);
    attempt = next.attempt;
  }
}

function toNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Use a whole number of 1 or more.');
  return number;
}

async function findSubjob(
  client: MillraceClient,
  run: string,
  node: string,
  task: string | undefined,
): Promise<Subjob> {
  const query = { node, page_size: 10 };
  const { results } = await client.call(subjobs.listSubjobs, { params: { id: run }, query });
  // A node that splits by itself has two subjobs of its name; the one with children is what its user means.
  const group = results.find((subjob) => subjob.task_count !== undefined);
  const found = group ?? results.at(-1);
  if (!found) throw new CliError(`Run ${run} has no node "${node}".`);
  if (task === undefined) {
    if (group)
      throw new CliError(`Node "${node}" is split into ${group.task_count} tasks. Choose one with --task <n>.`);
    return found;
  }
  for await (const child of client.each(subjobs.listChildren, { params: { id: run, subjobId: found.id } })) {
    if (String(child.task_index) === task) return child;
  }
  throw new CliError(`Node "${node}" of run ${run} has no task ${task}.`);
}
