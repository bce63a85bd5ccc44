import { InvalidArgumentError, type Command } from 'commander';
import { connect } from '../account/connect.js';
import { chooseSpace } from '../files/choose-space.js';
import { KnownVersions } from '../files/known-versions.js';
import { startRun } from '../files/start-run.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import type { Session } from '../session.js';
import { watchRun } from '../watch/watch-run.js';

export interface RunOptions {
  watch?: boolean;
  set: Record<string, string>;
  output?: string;
  parallelism?: number;
  /** From `--cache` and `--no-cache`; absent: each node decides. */
  cache?: boolean;
  space?: string;
  force?: boolean;
  json?: boolean;
}

export function addRun(program: Command, session: Session): void {
  program
    .command('run')
    .description('run a workflow file')
    .argument('<file>', 'the workflow, as YAML')
    .option('-w, --watch', 'show the run until it has ended, and download its named outputs')
    .option('-s, --set <input=value>', 'give an input a value, or a local file; can be repeated', collect, {})
    .option('-o, --output <dir>', 'where the outputs go (implies --watch); default millrace-<run>')
    .option('-p, --parallelism <n>', 'subjobs at once', toCount)
    .option('--cache', 'reuse earlier results for all nodes; without it, for those with `cache: true`')
    .option('--no-cache', 'execute all nodes')
    .option('--space <name>', 'the space that the workflow is in; default the playground')
    .option('--force', 'overwrite the version on the server, though somebody else has saved it')
    .option('--json', 'print the result as JSON, and everything else on standard error')
    .action((path: string, options: RunOptions) => runFile(path, options, program, session));
}

async function runFile(path: string, options: RunOptions, program: Command, session: Session): Promise<void> {
  const { watch, output, json = false, set, parallelism, cache, force = false } = options;
  const file = await readWorkflowFile(path);
  const client = await connect(session.env, program.opts());
  const screen = json ? process.stderr : process.stdout;
  const note = (line: string) => screen.write(`${line}\n`);
  const space = await chooseSpace(client, options.space);
  const known = new KnownVersions(session.env.versionsFile);
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  const start = {
    ...{ space, file, set, note, warn, known, force },
    ...(parallelism !== undefined && { parallelism }),
    ...(cache !== undefined && { useCache: cache }),
  };
  const run = await startRun(client, start);
  if (watch || output !== undefined) {
    const folder = output ?? `millrace-${run.id}`;
    session.exitCode = await watchRun(client, run, { folder, screen, json, labels: file.execute.outputs });
  } else if (json) {
    process.stdout.write(`${JSON.stringify({ run }, null, 2)}\n`);
  } else {
    note(`Run ${run.id} of "${file.name}" has started.\nIts outputs, once it has ended: npx millrace output ${run.id}`);
  }
}

function collect(text: string, former: Record<string, string>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be input=value.');
  return { ...former, [key]: value };
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}
