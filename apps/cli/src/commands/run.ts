import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Space } from '@millrace/sdk/records';
import { spaces } from '@millrace/sdk/resources';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { startRun } from '../files/start-run.js';
import { VersionsFile } from '../files/versions-file.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import { watchRun } from '../watch/watch-run.js';
import { parseCountUpTo } from './parse-number.js';

export interface RunOptions {
  watch?: boolean;
  set: Record<string, string>;
  output?: string;
  parallelism?: number;
  /** From `--cache` and `--no-cache`; absent: each node decides. */
  cache?: boolean;
  from?: string[];
  until?: string[];
  reuse?: string;
  space?: string;
  force?: boolean;
  json?: boolean;
}

export function addRun(program: Command, context: CliContext): void {
  program
    .command('run')
    .description('run a workflow file')
    .argument('<file>', 'workflow file in YAML')
    .option('-w, --watch', 'show the run until it ends, then download its named outputs')
    .option('-s, --set <input=value>', 'set an input to a value or a local file; can be repeated', collect, {})
    .option('-o, --output <dir>', 'folder for the outputs (default: millrace-<run>); implies --watch')
    .option('-p, --parallelism <n>', 'maximum number of subjobs that run at the same time', parseCountUpTo(10_000))
    .option('--cache', 'reuse earlier results for all nodes (default: for nodes with `cache: true`)')
    .option('--no-cache', 'execute all nodes, and reuse no earlier results')
    .option('--reuse <run>', 'take over the results of an earlier run that have not changed')
    .option('--from <node...>', 'execute only these nodes and all that depends on them; needs --reuse')
    .option('--until <node...>', 'execute only these nodes and everything that they depend on')
    .option('--space <name>', 'space of the workflow (default: the playground)')
    .option('--force', 'overwrite the version on the server even if another user saved it')
    .option('--json', 'print the result as JSON, and all other output on standard error')
    .action((path: string, options: RunOptions) => runFile(path, options, program, context));
}

async function runFile(path: string, options: RunOptions, program: Command, context: CliContext): Promise<void> {
  const { watch, output, json = false, set, parallelism, cache, force = false } = options;
  const file = await readWorkflowFile(path);
  const client = await connect(context.env, program.opts());
  const screen = json ? process.stderr : process.stdout;
  const note = (line: string) => screen.write(`${line}\n`);
  const space = await chooseSpace(client, options.space);
  const versionsFile = new VersionsFile(context.env.versionsFile);
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  const start = {
    ...{ space, file, set, note, warn, versionsFile, force },
    ...(parallelism !== undefined && { parallelism }),
    ...(cache !== undefined && { useCache: cache }),
    ...(options.reuse !== undefined && { reuse: options.reuse }),
    ...((options.from ?? options.until) && { part: { from: options.from ?? [], until: options.until ?? [] } }),
  };
  const run = await startRun(client, start);
  if (watch || output !== undefined) {
    const folder = output ?? `millrace-${run.id}`;
    context.exitCode = await watchRun(client, run, { folder, screen, json, labels: file.execute.outputs });
  } else if (json) {
    process.stdout.write(`${JSON.stringify({ run }, null, 2)}\n`);
  } else {
    note(
      `Run ${run.id} of "${file.name}" has started.\nTo download its outputs after it has ended: npx millrace output ${run.id}`,
    );
  }
}

/** Adds one more assignment `input=value`. */
export function collect(text: string, previous: Record<string, string>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('Use the form input=value.');
  return { ...previous, [key]: value };
}

/** The server creates the first space of a new account shortly after the account. */
const FIRST_SPACE_TIMEOUT_MS = 10_000;
const FIRST_SPACE_POLL_INTERVAL_MS = 200;

/** Returns the id of the space with that name; without a name, of the playground, else of the oldest space. */
export async function chooseSpace(client: MillraceClient, name: string | undefined): Promise<string> {
  for (const deadline = Date.now() + FIRST_SPACE_TIMEOUT_MS; ; await sleep(FIRST_SPACE_POLL_INTERVAL_MS)) {
    const { results } = await client.call(spaces.listSpaces, { query: { ordering: 'created_date' } });
    const found = name === undefined ? pickDefault(results) : results.find((space) => space.name === name);
    if (found) return found.id;
    if (results.length === 0 && Date.now() < deadline) continue;
    const names = results.map((space) => `"${space.name}"`).join(', ');
    throw new CliError(
      name === undefined ? 'You have no space yet.' : `No space named "${name}" exists. Your spaces are: ${names}.`,
    );
  }
}

const pickDefault = (spaces: Space[]): Space | undefined => spaces.find((space) => space.playground) ?? spaces[0];
