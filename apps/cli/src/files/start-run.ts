import { dirname } from 'node:path';
import type { MillraceClient, Run, WorkflowsRunBody } from '@millrace/client';
import { CliError } from '../cli-error.js';
import type { ExecutionSettings } from '../commands/execution-options.js';
import { describeProblem } from '../describe-problem.js';
import { resolveInputs, type InputAssignment, type ModuleInputs } from './resolve-inputs.js';
import { syncWorkflow, type SyncedWorkflow } from './sync-workflow.js';
import { createUploader } from './upload-input.js';
import type { VersionsFile } from './versions-file.js';
import type { WorkflowFile, FileData } from './workflow-file.js';

/** The value of `--input`: a text, or the path of a local file or folder (`@path`). */
export interface InputOption {
  value: string;
  isFile: boolean;
}

export interface StartOptions {
  space: string;
  file: WorkflowFile;
  /** Inputs from the options. They replace those in the file, and their paths are relative to the current folder. */
  input: Record<string, InputOption>;
  set: Record<string, string>;
  /** What the run executes, and how. Its parallelism replaces that in the file. */
  settings: ExecutionSettings;
  versionsFile: VersionsFile;
  /** Whether to overwrite a version on the server that was not saved from this machine. */
  force: boolean;
  /** Prints a line about the progress. */
  note: (line: string) => void;
  /** Prints a warning. */
  warn: (line: string) => void;
}

/** The request to start a run of a file, or to plan it. */
export interface PreparedRun extends SyncedWorkflow {
  body: WorkflowsRunBody;
}

/** Uploads the local inputs, updates the workflow on the server, and starts a run. */
export async function startRun(client: MillraceClient, options: StartOptions): Promise<Run> {
  const { workflow, version, body } = await prepareRun(client, options);
  await reportProblems(client, { workflow, version }, options.warn);
  return client.workflows.run(workflow, body);
}

/** Uploads the local inputs, and updates the workflow on the server. */
export async function prepareRun(client: MillraceClient, options: StartOptions): Promise<PreparedRun> {
  const { file, space, input, set, note, warn, versionsFile, force } = options;
  const assignments: InputAssignment[] = [
    ...Object.entries(file.execute.inputs).map(([key, value]) => ({ key, value, folder: dirname(file.path) })),
    ...Object.entries(input).map(([key, option]) => ({ key, ...option, folder: process.cwd() })),
    ...Object.entries(set).map(([key, value]) => ({ key, value, folder: process.cwd() })),
  ];
  const keys = assignments.map(({ key }) => key);
  const moduleInputs = await fetchModuleInputs(client, file.workflow, keys);
  const inputs = await resolveInputs(file.workflow, assignments, createUploader(client, note), moduleInputs);
  const { workflow, version } = await syncWorkflow({ client, space, versionsFile, force, warn }, file, inputs.data);
  const { parallelism } = file.execute;
  const body = {
    ...{ version_id: version, inputs: inputs.run },
    ...(parallelism !== undefined && { parallelism }),
    ...options.settings,
  };
  return { workflow, version, body };
}

/**
 * Validates a version before its run, and prints one warning per line.
 * @throws CliError with the errors that prevent a run; a save accepts them, because a draft may be incomplete
 */
async function reportProblems(
  client: MillraceClient,
  { workflow, version }: SyncedWorkflow,
  warn: (line: string) => void,
): Promise<void> {
  const { errors, warnings } = await client.workflows.validate(workflow, { version_id: version });
  for (const warning of warnings) warn(`Warning: ${describeProblem(warning)}`);
  if (errors.length === 0) return;
  const lines = errors.map((error) => `  - ${describeProblem(error)}`);
  throw new CliError(`The workflow was saved but cannot run:\n${lines.join('\n')}`);
}

/**
 * Fetches the types of the inputs of library modules, for the nodes whose inputs the user sets.
 * @param keys the keys of the user's inputs; only keys of the form `<node>.<input>` are considered
 */
async function fetchModuleInputs(
  client: MillraceClient,
  data: FileData,
  keys: readonly string[],
): Promise<ModuleInputs> {
  const found: ModuleInputs = {};
  for (const [name, { type, uses }] of Object.entries(data.nodes)) {
    if (uses === undefined || type !== undefined || !keys.some((key) => key.startsWith(`${name}.`))) continue;
    const { inputs = [] } = await client.modules.get(uses);
    found[name] = Object.fromEntries(inputs.map((input) => [input.name, input.type]));
  }
  return found;
}
