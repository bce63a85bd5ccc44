import { relative } from 'node:path';
import type { Command } from 'commander';
import type { MillraceClient, SavedFile, Workflow } from '@millrace/client';
import { connect } from '../account/connect.js';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { describeProblem } from '../describe-problem.js';
import { setMetadata } from '../files/file-metadata.js';
import { findOrigin } from '../files/find-workflow-of-file.js';
import { listLocalChanges } from '../files/local-changes.js';
import { nameAuthor, saveVersion, UNKNOWN_VERSION } from '../files/save-file.js';
import { saveOrCreate, syncModules, updateDescription } from '../files/sync-workflow.js';
import { VersionsFile } from '../files/versions-file.js';
import { type FileData, readText, readWorkflowFile, type WorkflowFile } from '../files/workflow-file.js';
import { writeAtomically } from '../files/write-atomically.js';
import { formatVersionDiff } from '../format-version-diff.js';
import { pickDefined } from '../pick-defined.js';
import { formatTime, printDone } from '../print-records.js';
import { findSpaceOrDefault } from './choose-space.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = [
  'workflows.get',
  'workflows.create',
  'workflows.update',
  'workflows.delete',
  'versions.saveFile',
  'versions.get',
  'versions.diff',
];

interface Options {
  json?: boolean;
  workflow?: string;
  space?: string;
  name?: string;
  force?: boolean;
}

/** Saves a file as the latest version of its workflow. */
export function addPush(program: Command, context: CliContext): void {
  addCommand(program, 'push', 'save a file as a new version of its workflow; refuses to overwrite a newer version', [
    'push port-scan.yaml',
    'push port-scan.yaml --space Research --name "All hosts"',
    'push port-scan.yaml --force',
  ])
    .argument('<file>', 'workflow file in YAML or JSON')
    .option('--workflow <workflow>', 'the workflow (default: the one that the file names, else by its name)')
    .option('--space <space>', 'space of a workflow that is found or created by its name (default: the playground)')
    .option('--name <text>', 'name of the version')
    .option('--force', 'overwrite a newer version on the server')
    .action(async (path: string, options: Options) => {
      const client = await connect(context.env);
      const versionsFile = new VersionsFile(context.env.versionsFile);
      const { workflow, file, saved, isNew } = await pushFile(client, path, { ...options, versionsFile });
      for (const warning of saved.warnings) process.stderr.write(`Warning: ${describeProblem(warning)}\n`);
      if (file.name !== workflow.name) process.stderr.write(explainOtherName(workflow, file));
      const sentence = isNew
        ? `Saved ${path} as version ${saved.number} of "${workflow.name}".`
        : `Nothing to save: ${path} is version ${saved.number} of "${workflow.name}".`;
      await printDone(sentence, { ...saved, changed: isNew }, options);
    });
}

/** A push does not rename the workflow, because it may have been renamed on the server after the file was pulled. */
const explainOtherName = ({ id, name }: Workflow, file: WorkflowFile): string =>
  `The workflow is named "${name}", and the file says "${file.name}". ` +
  `To rename the workflow: millrace workflow update ${id} --name '${file.name}'\n`;

interface Push extends Options {
  versionsFile: VersionsFile;
}

async function pushFile(client: MillraceClient, path: string, options: Push) {
  const { versionsFile, force = false, name } = options;
  const file = await readWorkflowFile(path);
  const space = await findSpaceOrDefault(client, options.space);
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  const data = await syncModules({ client, space, versionsFile, force, warn }, file, file.workflow);
  const keyOf = (workflow: Workflow) => ({ server: client.baseUrl, workflow: workflow.id, file: file.path });
  const saveIn = async (target: Workflow) => {
    const base = await findBase(versionsFile, target, file, keyOf(target));
    return save(client, { workflow: target, file, data, base, force, name });
  };
  const known = await findOrigin(client, file, options.workflow);
  const { workflow, saved } =
    known === undefined
      ? await saveOrCreate({ client, space }, file, saveIn)
      : { workflow: known, saved: await saveIn(known) };
  await updateDescription(client, workflow, file);
  // A read-only home folder, as in many containers, does not prevent a push: an exported file has its version itself.
  await versionsFile.store(keyOf(workflow), saved.id).catch(() => undefined);
  if (file.exportedFrom !== undefined) await recordVersion(path, saved);
  return { workflow, file, saved, isNew: saved.id !== workflow.latest_version_info };
}

/**
 * The version that the file comes from. The file itself takes precedence over what this machine last saved: an earlier commit
 * of the file comes from an earlier version.
 */
async function findBase(
  versionsFile: VersionsFile,
  workflow: Workflow,
  { exportedFrom }: WorkflowFile,
  key: Parameters<VersionsFile['find']>[0],
): Promise<string | undefined> {
  if (exportedFrom?.workflow === workflow.id && exportedFrom.version !== undefined) return exportedFrom.version;
  return versionsFile.find(key);
}

interface Save {
  workflow: Workflow;
  file: WorkflowFile;
  data: FileData;
  base: string | undefined;
  force: boolean;
  name: string | undefined;
}

/** @throws CliError that shows what was saved on the server in the meantime */
async function save(client: MillraceClient, push: Save): Promise<SavedFile> {
  const { workflow, file, data, base, force, name } = push;
  // The first version cannot overwrite another one.
  const expected = force || workflow.latest_version_info === undefined ? undefined : (base ?? UNKNOWN_VERSION);
  const version = { file, data, ...pickDefined({ name, expected_version_id: expected }) };
  return saveVersion(client, workflow.id, version, (latest) => explainConflict(client, push, latest));
}

async function explainConflict(client: MillraceClient, { workflow, file, base }: Save, id: string): Promise<CliError> {
  const latest = await client.versions.get(workflow.id, id);
  const author = `by ${await nameAuthor(client, latest.author)} on ${formatTime(latest.created_date)} UTC`;
  const known = base === undefined ? null : await client.versions.get(workflow.id, base).catch(() => null);
  const shown = relative(process.cwd(), file.path);
  const advice =
    `Nothing was saved.\n  To see the newer version:  millrace export ${workflow.id} --output theirs.yaml\n` +
    `  To overwrite it:           millrace push ${shown} --force`;
  if (known === null) {
    return new CliError(
      `The workflow "${workflow.name}" already has version ${latest.number}, saved ${author}, and ${shown} does not come from it.\n` +
        `In the file, compared with version ${latest.number}:\n${describeLocal(latest.data, file)}${advice}`,
    );
  }
  const theirs = formatVersionDiff(await client.versions.diff(workflow.id, known.id, latest.id));
  return new CliError(
    `The server has a newer version of "${workflow.name}": ${latest.number}, saved ${author}. ${shown} comes from version ${known.number}.\n` +
      `On the server since version ${known.number}:\n${indent(theirs)}` +
      `In the file since version ${known.number}:\n${describeLocal(known.data, file)}` +
      advice,
  );
}

const describeLocal = (version: Record<string, unknown>, file: WorkflowFile): string => {
  const changes = listLocalChanges(version, file.workflow);
  return indent(changes.length === 0 ? 'nothing\n' : `${changes.join('\n')}\n`);
};

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

/** Writes the new version into the file. Everything else in it stays as it is. */
async function recordVersion(path: string, { id, workflow_info, number, created_date }: SavedFile): Promise<void> {
  const text = await readText(path);
  const metadata = {
    ...{ workflow: workflow_info, version: id },
    ...{ version_number: number, version_created_date: created_date },
  };
  const edited = setMetadata(text, metadata);
  if (edited !== text) await writeAtomically(path, edited);
}
