import { existsSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import type { MillraceClient, Run } from '@millrace/client';
import { connect } from '../account/connect.js';
import { EXIT, type CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { prepareRun, startRun } from '../files/start-run.js';
import { VersionsFile } from '../files/versions-file.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import { findWorkflow } from '../resolve-names.js';
import { reportInCi } from '../watch/report-in-ci.js';
import { watchRun } from '../watch/watch-run.js';
import { addApprove } from './approve.js';
import { chooseSpace } from './choose-space.js';
import { collectInputs } from './collect-assignments.js';
import { addCommand } from './command-group.js';
import { addCompare } from './compare.js';
import { addControl } from './control.js';
import { addExecutionOptions, toSettings, type ExecutionOptions } from './execution-options.js';
import { addFailures } from './failures.js';
import { addGet } from './get.js';
import { addLogs } from './logs.js';
import { addOutput } from './output.js';
import { addPlan, formatPlan } from './plan.js';
import { addRetry, addSkip } from './retry.js';
import { addSet } from './set.js';
import { addStop } from './stop.js';

/** The operations of the API that this command uses, as methods of the client. Its subcommands have lists of their own. */
export const OPERATIONS = [
  ...['workflows.run', 'workflows.plan', 'workflows.validate', 'workflows.create', 'workflows.update', 'versions.save'],
  ...['runs.events', 'runs.get', 'runs.stop', 'subjobs.list', 'subjobs.get', 'files.upload', 'modules.get'],
];

interface RunOptions extends ExecutionOptions {
  watch?: boolean;
  set: Record<string, string>;
  input: Record<string, string>;
  output?: string;
  download?: string;
  ci?: boolean;
  dryRun?: boolean;
  space?: string;
  force?: boolean;
  json?: boolean;
}

export function addRun(program: Command, context: CliContext): void {
  const command = addCommand(program, 'run', 'run a workflow: a file, or one on the server; or act on a run', [
    'run port-scan.yaml --watch',
    'run port-scan.yaml --input hosts=@hosts.txt --set scan-1.rate=100 --download results',
    'run "port scan" --input hosts=millrace://file/hosts.txt --ci',
    'run stop 42',
  ])
    // Options after the name of a subcommand belong to the subcommand.
    .enablePositionalOptions()
    .argument('<file-or-workflow>', 'workflow file in YAML, or name or id of a workflow')
    .option('-w, --watch', 'show the run until it ends, then download its named outputs')
    .option(
      '-i, --input <name=value>',
      'set an input to a value, or with name=@file to a local file; repeatable',
      collectFiles,
      {},
    )
    .option(
      '-s, --set <input=value>',
      'set an input, or node.param, to a value or a local file; repeatable',
      collectInputs,
      {},
    )
    .option('-o, --output <dir>', 'folder for the outputs (default: millrace-<run>); implies --watch')
    .option('--download <dir>', 'the same as --output')
    .option('--ci', 'watch in lines without cursor movement, and report failures as annotations (GitHub Actions)')
    .option('--dry-run', 'show what the run would do, without starting it');
  addExecutionOptions(command)
    .option('--space <name>', 'space of the workflow of a file (default: the playground)')
    .option('--force', 'overwrite the version on the server even if another user saved it')
    .action((target: string, options: RunOptions) => run(target, options, context));
  for (const add of [
    addGet,
    addStop,
    addControl,
    addRetry,
    addSkip,
    addFailures,
    addCompare,
    addPlan,
    addApprove,
    addSet,
    addLogs,
    addOutput,
  ])
    add(command, context);
}

async function run(target: string, options: RunOptions, context: CliContext): Promise<void> {
  const { watch, ci = false, json = false, dryRun } = options;
  const folder = options.output ?? options.download;
  const screen = json ? process.stderr : process.stdout;
  const note = (line: string) => screen.write(`${line}\n`);
  const isFile = existsSync(target) || /[/\\]|\.(ya?ml|json)$/i.test(target);
  const prepare = isFile ? prepareFile : prepareWorkflow;
  const { client, name, outputs, plan, start } = await prepare(target, options, context, note);
  if (dryRun) {
    const planned = await plan();
    process.stdout.write(json ? `${JSON.stringify(planned, null, 2)}\n` : formatPlan(planned));
    if (!planned.can_start) context.exitCode = EXIT.usage;
    return;
  }
  const started = await start();
  if (watch || ci || folder !== undefined) {
    const watched = { folder: folder ?? `millrace-${started.id}`, screen, json, labels: outputs, isPlain: ci };
    context.exitCode = await watchRun(client, started, watched);
    if (ci && context.exitCode === EXIT.runFailed) await reportInCi(client, started.id, context.env.isGitHub);
  } else if (json) {
    process.stdout.write(`${JSON.stringify({ run: started }, null, 2)}\n`);
  } else {
    note(
      `Run ${started.id} of "${name}" has started.\nTo download its outputs after it has ended: npx millrace output ${started.id}`,
    );
  }
}

interface Prepared {
  client: MillraceClient;
  name: string;
  /** Labels of the outputs to download; undefined for all. */
  outputs: readonly string[] | undefined;
  plan: () => ReturnType<MillraceClient['workflows']['plan']>;
  start: () => Promise<Run>;
}

async function prepareFile(
  path: string,
  options: RunOptions,
  { env }: CliContext,
  note: (line: string) => void,
): Promise<Prepared> {
  const { set, input, force = false } = options;
  const file = await readWorkflowFile(path);
  const client = await connect(env);
  const space = await chooseSpace(client, options.space);
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  const request = {
    ...{ space, file, set: { ...input, ...set }, note, warn, versionsFile: new VersionsFile(env.versionsFile), force },
    settings: toSettings(options),
  };
  const plan = async () => {
    const { workflow, body } = await prepareRun(client, request);
    return client.workflows.plan(workflow, body);
  };
  return { client, name: file.name, outputs: file.execute.outputs, plan, start: () => startRun(client, request) };
}

/** A workflow on the server is not changed, so its inputs are values and addresses, not local files. */
async function prepareWorkflow(target: string, options: RunOptions, { env }: CliContext): Promise<Prepared> {
  const { set, input } = options;
  const client = await connect(env);
  const id = await findWorkflow(client, target);
  const body = { inputs: { ...input, ...set }, ...toSettings(options) };
  const plan = () => client.workflows.plan(id, body);
  return { client, name: target, outputs: undefined, plan, start: () => client.workflows.run(id, body) };
}

/** Parses `name=value` and `name=@file`. */
function collectFiles(text: string, previous: Record<string, string>): Record<string, string> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Use the form name=value or name=@file.');
  const isFile = value.startsWith('@');
  if (isFile && !existsSync(value.slice(1)))
    throw new CliError(`Input "${name}": the file ${value.slice(1)} does not exist.`);
  return { ...previous, [name]: isFile ? value.slice(1) : value };
}
