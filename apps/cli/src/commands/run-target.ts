import { existsSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import type { MillraceClient, Run } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { prepareRun, startRun, type InputOption } from '../files/start-run.js';
import { createUploader } from '../files/upload-input.js';
import { VersionsFile } from '../files/versions-file.js';
import { readWorkflowFile } from '../files/workflow-file.js';
import { findWorkflow } from '../resolve-names.js';
import { chooseSpace } from './choose-space.js';
import { collectInputs } from './collect-assignments.js';
import { addExecutionOptions, toSettings, type ExecutionOptions } from './execution-options.js';

/** What to run or plan: its inputs, and how. */
export interface TargetOptions extends ExecutionOptions {
  set?: Record<string, string>;
  input?: Record<string, InputOption>;
  space?: string;
  force?: boolean;
}

/** Adds the argument and the options of a command that runs or plans a file, or a workflow on the server. */
export const addTarget = (command: Command): Command =>
  addExecutionOptions(
    command
      .argument('<file-or-workflow>', 'workflow file in YAML, or name or id of a workflow')
      .option(
        '-i, --input <name=value>',
        'set an input to a value, or with name=@file to a local file or folder; repeatable',
        collectFiles,
      )
      .option(
        '-s, --set <input=value>',
        'set an input, or node.param, to a value, a local file or a local folder; repeatable',
        collectInputs,
      ),
  )
    .option('--space <name>', 'space of the workflow of a file (default: the playground)')
    .option('--force', 'overwrite the version on the server even if another user saved it');

/** Reads the file, or finds the workflow on the server. @param note prints a line about the progress */
export function prepareTarget(
  target: string,
  options: TargetOptions,
  context: CliContext,
  note: (line: string) => void,
): Promise<PreparedTarget> {
  const isFile = existsSync(target) || /[/\\]|\.(ya?ml|json)$/i.test(target);
  return (isFile ? prepareFile : prepareWorkflow)(target, options, context, note);
}

/** A run that can be planned or started. */
export interface PreparedTarget {
  client: MillraceClient;
  name: string;
  /** Labels or names of the nodes whose outputs to download; undefined for all named outputs. */
  outputs: readonly string[] | undefined;
  plan: () => ReturnType<MillraceClient['workflows']['plan']>;
  start: () => Promise<Run>;
}

async function prepareFile(
  path: string,
  options: TargetOptions,
  { env }: CliContext,
  note: (line: string) => void,
): Promise<PreparedTarget> {
  const { set = {}, input = {}, force = false } = options;
  const file = await readWorkflowFile(path);
  const client = await connect(env);
  const space = await chooseSpace(client, options.space);
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  const request = {
    ...{ space, file, input, set, note, warn, versionsFile: new VersionsFile(env.versionsFile), force },
    settings: toSettings(options),
  };
  const plan = async () => {
    const { workflow, body } = await prepareRun(client, request);
    return client.workflows.plan(workflow, body);
  };
  return { client, name: file.name, outputs: file.execute.outputs, plan, start: () => startRun(client, request) };
}

/** A workflow on the server is not changed, so the types of its inputs are not known here: only `@path` is a local file. */
async function prepareWorkflow(
  target: string,
  options: TargetOptions,
  { env }: CliContext,
  note: (line: string) => void,
): Promise<PreparedTarget> {
  const { set = {}, input = {} } = options;
  const client = await connect(env);
  const id = await findWorkflow(client, target);
  const upload = createUploader(client, note);
  const inputs: Record<string, string> = {};
  for (const [name, { value, isFile }] of Object.entries(input))
    inputs[name] = isFile ? await upload.any(value) : value;
  const body = { inputs: { ...inputs, ...set }, ...toSettings(options) };
  const plan = () => client.workflows.plan(id, body);
  return { client, name: target, outputs: undefined, plan, start: () => client.workflows.run(id, body) };
}

/** Parses `name=value` and `name=@file`. */
function collectFiles(text: string, previous: Record<string, InputOption> | undefined): Record<string, InputOption> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Use the form name=value or name=@file.');
  const isFile = value.startsWith('@');
  if (isFile && !existsSync(value.slice(1))) throw new CliError(`Input "${name}": ${value.slice(1)} does not exist.`);
  return { ...previous, [name]: { value: isFile ? value.slice(1) : value, isFile } };
}
