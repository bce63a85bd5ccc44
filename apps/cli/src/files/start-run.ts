import { dirname } from 'node:path';
import type { MillraceClient, Run, WorkflowsRunBody } from '@millrace/client';
import type { ExecutionSettings } from '../commands/execution-options.js';
import { describeProblem } from '../describe-problem.js';
import { resolveInputs, type InputAssignment, type ModuleInputs } from './resolve-inputs.js';
import { syncWorkflow } from './sync-workflow.js';
import { createUploader } from './upload-input.js';
import type { VersionsFile } from './versions-file.js';
import type { WorkflowFile, FileData } from './workflow-file.js';

/** The value of `--input`: a text, or the path of a local file or folder (`@path`). */
export interface InputOption {
  value: string;
  isFile: boolean;
}

/** The inputs of a run from the options. Their paths are relative to the current folder. */
export interface InputOptions {
  input: Record<string, InputOption>;
  set: Record<string, string>;
  /** What the run executes, and how. Its parallelism replaces that in the file. */
  settings: ExecutionSettings;
  /** Prints a line about the progress. */
  note: (line: string) => void;
}

export interface FileOptions extends InputOptions {
  space: string;
  file: WorkflowFile;
  versionsFile: VersionsFile;
  /** Whether to overwrite a version on the server that was not saved from this machine. */
  force: boolean;
  /** Prints a warning. */
  warn: (line: string) => void;
}

/** The request to start a run, or to plan it. */
export interface PreparedRun {
  workflow: string;
  body: WorkflowsRunBody;
}

/** Uploads the local inputs of a file, and updates the workflow on the server. */
export async function prepareFile(client: MillraceClient, options: FileOptions): Promise<PreparedRun> {
  const { file, space, warn, versionsFile, force } = options;
  const { parallelism } = file.execute;
  const folder = dirname(file.path);
  const own = Object.entries(file.execute.inputs).map(([key, value]) => ({ key, value, folder }));
  const inputs = await resolveOptions(client, file.workflow, options, own);
  const { workflow, version } = await syncWorkflow({ client, space, versionsFile, force, warn }, file);
  const body = { version_id: version, ...(parallelism !== undefined && { parallelism }), ...inputs };
  return { workflow, body };
}

/** Uploads the local inputs of a run of the latest version on the server. */
export async function prepareWorkflow(
  client: MillraceClient,
  workflow: string,
  options: InputOptions,
): Promise<PreparedRun> {
  const { id, data } = await client.versions.get(workflow, 'latest');
  const withParts = { nodes: {}, primitiveNodes: {}, connections: [], ...data } as FileData;
  // The inputs are those of this version.
  return { workflow, body: { version_id: id, ...(await resolveOptions(client, withParts, options)) } };
}

/** Starts a run. Warnings about its workflow are printed before, one per line. The server refuses a workflow with errors. */
export async function startRun(
  client: MillraceClient,
  { workflow, body }: PreparedRun,
  warn: (line: string) => void,
): Promise<Run> {
  const { version_id: version = 'latest' } = body;
  const { warnings } = await client.workflows.validate(workflow, { version_id: version });
  for (const warning of warnings) warn(`Warning: ${describeProblem(warning)}`);
  return client.workflows.run(workflow, body);
}

/** @param own inputs that the options replace */
async function resolveOptions(
  client: MillraceClient,
  data: FileData,
  { input, set, settings, note }: InputOptions,
  own: InputAssignment[] = [],
): Promise<Pick<WorkflowsRunBody, 'inputs' | 'parameters'> & ExecutionSettings> {
  const folder = process.cwd();
  const assignments: InputAssignment[] = [
    ...own,
    ...Object.entries(input).map(([key, option]) => ({ key, ...option, folder })),
    ...Object.entries(set).map(([key, value]) => ({ key, value, folder })),
  ];
  const keys = assignments.map(({ key }) => key);
  const moduleInputs = await fetchModuleInputs(client, data, keys);
  const { run, parameters } = await resolveInputs(data, assignments, createUploader(client, note), moduleInputs);
  return { inputs: run, ...(Object.keys(parameters).length > 0 && { parameters }), ...settings };
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
