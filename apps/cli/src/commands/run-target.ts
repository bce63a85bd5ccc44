import { existsSync, statSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import type { MillraceClient, Run } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { prepareFile, prepareWorkflow, startRun, type InputOption, type PreparedRun } from '../files/start-run.js';
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
      .argument(
        '<file-or-workflow>',
        'workflow file in YAML, which is saved on the server, or name or id of a workflow',
      )
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
export async function prepareTarget(
  target: string,
  options: TargetOptions,
  { env }: CliContext,
  note: (line: string) => void,
): Promise<PreparedTarget> {
  const { set = {}, input = {}, force = false } = options;
  const inputs = { set, input, note, settings: toSettings(options) };
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  // A folder may have the name of a workflow.
  const isFile = statSync(target, { throwIfNoEntry: false })?.isFile() || /[/\\]|\.(ya?ml|json)$/i.test(target);
  const file = isFile ? await readWorkflowFile(target) : null;
  const client = await connect(env);
  let prepare: () => Promise<PreparedRun>;
  if (file === null) {
    const workflow = await findWorkflow(client, target);
    prepare = () => prepareWorkflow(client, workflow, inputs);
  } else {
    const space = await chooseSpace(client, options.space);
    const versionsFile = new VersionsFile(env.versionsFile);
    prepare = () => prepareFile(client, { ...inputs, space, file, versionsFile, force, warn });
  }
  return {
    ...{ client, name: file?.name ?? target, outputs: file?.execute.outputs },
    plan: async () => {
      const { workflow, body } = await prepare();
      return client.workflows.plan(workflow, body);
    },
    start: async () => startRun(client, await prepare(), warn),
  };
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

/** Parses `name=value` and `name=@file`. */
function collectFiles(text: string, previous: Record<string, InputOption> | undefined): Record<string, InputOption> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Use the form name=value or name=@file.');
  const isFile = value.startsWith('@');
  if (isFile && !existsSync(value.slice(1))) throw new CliError(`Input "${name}": ${value.slice(1)} does not exist.`);
  return { ...previous, [name]: { value: isFile ? value.slice(1) : value, isFile } };
}
