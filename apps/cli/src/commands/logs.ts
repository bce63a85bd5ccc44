import { once } from 'node:events';
import { Option, type Command } from 'commander';
import type { MillraceClient, Subjob } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { parseCount, parseRunNumber } from './parse-number.js';

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
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<node>', 'name of the node')
    .option('-f, --follow', 'continue until the node has ended')
    .option('-t, --task <n>', 'number of the task, if the node is split; starts at 1')
    .option('-a, --attempt <n>', 'number of the attempt (default: the last one)', parseCount)
    .option('-n, --tail <lines>', 'print only the last lines', parseCount)
    .addOption(new Option('--stream <stream>', 'stream to print').choices(['stdout', 'stderr']).default('stdout'))
    .action(async (run: string, node: string, options: Options) => {
      const client = await connect(env, program.opts());
      const subjob = await findSubjob(client, run, node, options.task);
      await printLog(client, run, subjob.id, options);
    });
}

/** With `follow`, prints the log of one attempt after the other until the subjob has ended. */
async function printLog(client: MillraceClient, run: string, subjob: string, options: Options): Promise<void> {
  const { stream, follow = false, tail } = options;
  for (let attempt = options.attempt, isFirst = true; ; isFirst = false) {
    let printed: number | undefined;
    const log = client.subjobs.logs(run, subjob, {
      ...{ stream, follow, onAttempt: (number: number) => (printed = number) },
      ...(attempt !== undefined && { attempt }),
      ...(isFirst && tail !== undefined && { tail }),
    });
    for await (const chunk of log) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    }
    if (!follow || options.attempt !== undefined || printed === undefined) return;
    const { attempts, max_attempts } = await client.subjobs.get(run, subjob);
    const ended = attempts.find(({ attempt: number }) => number === printed);
    const next = attempts.find(({ attempt: number }) => number === (printed ?? 0) + 1);
    if (!next) return;
    const reason = ended?.message === undefined ? '' : `: ${ended.message}`;
    process.stderr.write(`Attempt ${printed} of ${max_attempts} failed${reason}\n`);
    attempt = next.attempt;
  }
}

async function findSubjob(
  client: MillraceClient,
  run: string,
  node: string,
  task: string | undefined,
): Promise<Subjob> {
  const query = { node, page_size: 10 };
  const { results } = await client.subjobs.list(run, query);
  // A node that distributes its own input has two subjobs with its name. The user means the one with children.
  const group = results.find((subjob) => subjob.task_count !== undefined);
  const found = group ?? results.at(-1);
  if (!found) throw new CliError(`Run ${run} has no node "${node}".`);
  if (task === undefined) {
    if (group)
      throw new CliError(`Node "${node}" is split into ${group.task_count} tasks. Choose one with --task <n>.`);
    return found;
  }
  for await (const child of client.subjobs.children(run, found.id)) {
    if (String(child.task_index) === task) return child;
  }
  throw new CliError(`Node "${node}" of run ${run} has no task ${task}.`);
}
