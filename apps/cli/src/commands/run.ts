import type { Command } from 'commander';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { startRun } from '../files/start-run.js';
import { VersionsFile } from '../files/versions-file.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import { watchRun } from '../watch/watch-run.js';
import { chooseSpace } from './choose-space.js';
import { collectInputs } from './collect-assignments.js';
import { addExecutionOptions, type ExecutionOptions } from './execution-options.js';

interface RunOptions extends ExecutionOptions {
  watch?: boolean;
  set: Record<string, string>;
  output?: string;
  space?: string;
  force?: boolean;
  json?: boolean;
}

export function addRun(program: Command, context: CliContext): void {
  const command = program
    .command('run')
    .description('run a workflow file')
    .argument('<file>', 'workflow file in YAML')
    .option('-w, --watch', 'show the run until it ends, then download its named outputs')
    .option('-s, --set <input=value>', 'set an input to a value or a local file; can be repeated', collectInputs, {})
    .option('-o, --output <dir>', 'folder for the outputs (default: millrace-<run>); implies --watch');
  addExecutionOptions(command)
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
