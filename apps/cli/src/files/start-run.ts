import { dirname } from 'node:path';
import type { MillraceClient } from '@millrace/sdk/client';
import type { Run } from '@millrace/sdk/records';
import { runs } from '@millrace/sdk/resources';
import { fetchModuleInputs } from './fetch-module-inputs.js';
import type { KnownVersions } from './known-versions.js';
import { reportProblems } from './report-problems.js';
import { resolveInputs, type GivenInput } from './resolve-inputs.js';
import { syncWorkflow } from './sync-workflow.js';
import { inputUploader } from './upload-input.js';
import type { WorkflowFile } from './workflow-file.js';

export interface StartOptions {
  space: string;
  file: WorkflowFile;
  /** Inputs set beside the file; they win, and their paths count from the current folder. */
  set: Record<string, string>;
  parallelism?: number;
  /** Absent: each node decides. */
  useCache?: boolean;
  known: KnownVersions;
  /** Whether a version on the server that this machine does not know may be overwritten. */
  force: boolean;
  note: (line: string) => void;
  /** Takes what validation warns of. */
  warn: (line: string) => void;
}

/** Uploads what the run reads, brings the workflow up to date and starts it. */
export async function startRun(client: MillraceClient, options: StartOptions): Promise<Run> {
  const { file, space, set, note, warn, known, force } = options;
  const given: GivenInput[] = [
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
