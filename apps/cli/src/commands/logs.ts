import { once } from 'node:events';
import { Option, type Command } from 'commander';
import type { MillraceClient, Subjob } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError, notFound } from '../cli-error.js';
import { addCommand } from './command-group.js';
import { parseCount, parseRunNumber } from './parse-number.js';
import { type TimedLine, TimedLines } from './timed-lines.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['subjobs.logs', 'subjobs.logTimes', 'subjobs.get', 'subjobs.list', 'subjobs.children'];

interface Options {
  follow?: boolean;
  stream: 'stdout' | 'stderr';
  child?: string;
  /** The former name of --child. */
  task?: string;
  attempt?: number;
  tail?: number;
  timestamps?: boolean;
  /** Prints the parts of the log as JSON lines. */
  json?: boolean;
}

export function addLogs(parent: Command, { env }: CliContext): void {
  addCommand(parent, 'logs', 'print the log of a node of a run', [
    'logs 42 scan-1',
    'logs --follow 42 scan-1 --child 3',
  ])
    .argument('<run>', 'number of the run', parseRunNumber)
    .argument('<node>', 'name of the node')
    .option('-f, --follow', 'continue until the node has ended')
    .option('-t, --child <n>', 'number of the child, if the node is split; starts at 1')
    .addOption(new Option('--task <n>', 'the former name of --child').hideHelp())
    .option('-a, --attempt <n>', 'number of the attempt (default: the last one)', parseCount)
    .option('-n, --tail <lines>', 'print only the last lines', parseCount)
    .option('--timestamps', 'print when each line was written, at the latest')
    .addOption(new Option('--stream <stream>', 'stream to print').choices(['stdout', 'stderr']).default('stdout'))
    .action(async (run: string, node: string, options: Options) => {
      const client = await connect(env);
      const subjob = await findSubjob(client, run, node, options.child ?? options.task);
      await printLog(client, run, subjob.id, options);
    });
}

/** With `follow`, prints the log of one attempt after the other until the subjob has ended. */
async function printLog(client: MillraceClient, run: string, subjob: string, options: Options): Promise<void> {
  const { stream, follow = false, tail, json } = options;
  for (let attempt = options.attempt, isFirst = true; ; isFirst = false) {
    let printed: number | undefined;
    let start = 0;
    const log = client.subjobs.logs(run, subjob, {
      ...{
        stream,
        follow,
        onAttempt: (number: number, offset: number) =>
          ([printed, start] = [number, printed === number ? start : offset]),
      },
      ...(attempt !== undefined && { attempt }),
      ...(isFirst && tail !== undefined && { tail }),
    });
    const readTimes = () => client.subjobs.logTimes(run, subjob, { stream, ...(printed && { attempt: printed }) });
    const parts = options.timestamps ? addTimes(log, () => new TimedLines(readTimes, start)) : log;
    const decoder = new TextDecoder();
    for await (const part of parts) {
      const text = json
        ? `${JSON.stringify({ attempt: printed, stream, ...toRecord(part, decoder) })}\n`
        : toLine(part);
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
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

/** @param begin called after the response has begun, which has the place of its first byte */
async function* addTimes(log: AsyncIterable<Uint8Array>, begin: () => TimedLines): AsyncGenerator<TimedLine> {
  let lines: TimedLines | undefined;
  for await (const chunk of log) yield* await (lines ??= begin()).add(chunk);
  if (lines) yield* await lines.end();
}

function toRecord(part: Uint8Array | TimedLine, decoder: TextDecoder): Record<string, string | null> {
  const bytes = 'bytes' in part ? part.bytes : part;
  return { ...('time' in part && { time: part.time }), text: decoder.decode(bytes, { stream: true }) };
}

const UNKNOWN_TIME = '-'.padEnd('2026-11-24T04:31:02.118Z'.length);

function toLine(part: Uint8Array | TimedLine): Uint8Array {
  if (!('bytes' in part)) return part;
  const { time, bytes } = part;
  return time === undefined ? bytes : Buffer.concat([Buffer.from(`${time ?? UNKNOWN_TIME} `), bytes]);
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
  if (!found) throw notFound(`Run ${run} has no node "${node}".`);
  if (task === undefined) {
    if (group)
      throw new CliError(`Node "${node}" is split into ${group.task_count} tasks. Choose one with --child <n>.`);
    return found;
  }
  for await (const child of client.subjobs.children(run, found.id)) {
    if (String(child.task_index) === task) return child;
  }
  throw notFound(`Node "${node}" of run ${run} has no task ${task}.`);
}
