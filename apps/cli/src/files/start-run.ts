import { dirname } from 'node:path';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Run } from '@millrace/sdk/records';
import { runs, workflows, library } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';
import { describeProblem } from '../describe-problem.js';
import { resolveInputs, type InputAssignment, type ModuleInputs } from './resolve-inputs.js';
import { syncWorkflow, type SyncedWorkflow } from './sync-workflow.js';
import { inputUploader } from './upload-input.js';
import type { VersionsFile } from './versions-file.js';
import type { WorkflowFile, FileData } from './workflow-file.js';

export interface StartOptions {
  space: string;
  file: WorkflowFile;
  /** Inputs set beside the file; they win, and their paths count from the current folder. */
  set: Record<string, string>;
  parallelism?: number;
  /** Absent: each node decides. */
  useCache?: boolean;
  known: VersionsFile;
  /** Whether a version on the server that this machine does not know may be overwritten. */
  force: boolean;
  note: (line: string) => void;
  /** Takes what validation warns of. */
  warn: (line: string) => void;
}

/** Uploads what the run reads, brings the workflow up to date and starts it. */
export async function startRun(client: MillraceClient, options: StartOptions): Promise<Run> {
  const { file, space, set, note, warn, known, force } = options;
  const given: InputAssignment[] = [
    ...Object.entries(file.execute.inputs).map(([key, value]) => ({ key, value, folder: dirname(file.path) })),
    ...Object.entries(set).map(([key, value]) => ({ key, value, folder: process.cwd() })),
  ];
  const keys = given.map(({ key }) => key);
  const ofModules = await fetchModuleInputs(client, file.workflow, keys);
  const inputs = await resolveInputs(file.workflow, given, inputUploader(client, note), ofModules);
  const synced = await syncWorkflow({ client, space, known, force, warn }, file, inputs.data);
  await reportProblems(client, synced, warn);
  const { workflow, version } = synced;
  const parallelism = options.parallelism ?? file.execute.parallelism;
  const body = {
    ...{ version_id: version, inputs: inputs.run },
    ...(parallelism !== undefined && { parallelism }),
    ...(options.useCache !== undefined && { use_cache: options.useCache }),
  };
  return client.call(runs.createRun, { params: { id: workflow }, body });
}

/**
 * Says what validation finds in a version that is about to run: warnings go to `warn`, one line each.
 * @throws CliError that lists what keeps it from running; a save lets pass what a draft may lack
 */
async function reportProblems(
  client: MillraceClient,
  { workflow, version }: SyncedWorkflow,
  warn: (line: string) => void,
): Promise<void> {
  const request = { params: { id: workflow }, body: { version_id: version } };
  const { errors, warnings } = await client.call(workflows.validateWorkflow, request);
  for (const warning of warnings) warn(`Warning: ${describeProblem(warning)}`);
  if (errors.length === 0) return;
  const lines = errors.map((error) => `  - ${describeProblem(error)}`);
  throw new CliError(`The workflow was saved but cannot run:\n${lines.join('\n')}`);
}

/**
 * Looks up the inputs of library modules for the nodes that the user sets inputs of.
 * @param keys as the user wrote them; those of the form `<node>.<input>` matter
 */
async function fetchModuleInputs(
  client: MillraceClient,
  data: FileData,
  keys: readonly string[],
): Promise<ModuleInputs> {
  const found: ModuleInputs = {};
  for (const [name, { type, uses }] of Object.entries(data.nodes)) {
    if (uses === undefined || type !== undefined || !keys.some((key) => key.startsWith(`${name}.`))) continue;
    const { inputs = [] } = await client.call(library.getModule, { params: { id: uses } });
    found[name] = Object.fromEntries(inputs.map((input) => [input.name, input.type]));
  }
  return found;
}
