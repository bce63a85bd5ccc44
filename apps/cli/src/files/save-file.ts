import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  ConflictError,
  type FileProblem,
  InvalidRequestError,
  type MillraceClient,
  PermissionError,
  type SavedFile,
  type VersionsSaveFileBody,
  type Workflow,
} from '@millrace/client';
import { CliError } from '../cli-error.js';
import { describeSystemError, isSystemError } from '../describe-system-error.js';
import { pickDefined } from '../pick-defined.js';
import { explainUnreadableFile } from './explain-unreadable-file.js';
import type { VersionsFile } from './versions-file.js';
import type { FileData, WorkflowFile } from './workflow-file.js';

export interface SaveOptions {
  client: MillraceClient;
  versionsFile: VersionsFile;
  /** Whether to overwrite a version that was not saved from this machine. */
  force: boolean;
  warn: (line: string) => void;
}

/** No version has this id. The server compares the data and rejects the save if they differ. */
export const UNKNOWN_VERSION = 'never-saved-from-here';

/**
 * Saves a file's data as the latest version of a workflow. Does not overwrite a version of another user: a version that was
 * neither saved from this file nor has the same data.
 * @param snapshot whether to publish the version, too
 * @throws CliError that names the user who saved that version
 */
export async function saveFile(
  { client, versionsFile, force, warn }: SaveOptions,
  workflow: Workflow,
  file: WorkflowFile,
  { data, snapshot }: { data: FileData; snapshot: boolean },
): Promise<SavedFile> {
  const key = { server: client.baseUrl, workflow: workflow.id, file: file.path };
  const baseVersions = [await versionsFile.find(key), findExported(workflow, file)].filter((id) => id !== undefined);
  const expected = force ? undefined : chooseExpected(workflow.latest_version_info, baseVersions);
  const version = { file, data, ...(snapshot && { snapshot }), ...pickDefined({ expected_version_id: expected }) };
  const explain = () => explainConflict(client, workflow, baseVersions.length > 0);
  const saved = await saveVersion(client, workflow.id, version, explain);
  await versionsFile.store(key, saved.id).catch((error: unknown) => {
    // The run also starts if the home folder is read-only, as in many containers.
    if (!isSystemError(error)) throw error;
    warn(
      `Warning: the number of the saved version cannot be stored, so a later run of the changed file may need --force. ${describeSystemError(error)}`,
    );
  });
  return saved;
}

interface NewVersion extends Omit<VersionsSaveFileBody, 'yaml'> {
  file: WorkflowFile;
  /** The data of the file, in which inputs and modules may be replaced. */
  data: FileData;
}

/**
 * Saves a version. If another version was saved meanwhile that has the same data, that version is the result.
 * @param explain the error if its data differ
 */
export async function saveVersion(
  client: MillraceClient,
  workflow: string,
  version: NewVersion,
  explain: (latest: string) => Promise<CliError>,
): Promise<SavedFile> {
  try {
    return await send(client, workflow, version);
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== 'version_conflict') throw error;
    const { latest_version_id: latest, same_data: isSame } = error.details ?? {};
    if (typeof latest !== 'string') throw error;
    if (isSame === true) return saveVersion(client, workflow, { ...version, expected_version_id: latest }, explain);
    throw await explain(latest);
  }
}

/** Sends the text of the file, so that problems have their place in it; changed data as JSON, which is YAML, too. */
async function send(
  client: MillraceClient,
  workflow: string,
  { file, data, ...options }: NewVersion,
): Promise<SavedFile> {
  if (isDeepStrictEqual(data, file.workflow)) {
    const path = relative(process.cwd(), file.path);
    return explainUnreadableFile(path, client.versions.saveFile(workflow, { yaml: file.text, ...options }));
  }
  const yaml = JSON.stringify({ name: file.name, workflow: data });
  try {
    const saved = await client.versions.saveFile(workflow, { yaml, ...options });
    return { ...saved, errors: saved.errors.map(withoutPlace), warnings: saved.warnings.map(withoutPlace) };
  } catch (error) {
    throw withoutPlaces(error);
  }
}

/** The places are in the JSON, which the user never sees. */
const withoutPlace = ({ line: _, column: __, ...problem }: FileProblem): FileProblem => problem;

function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof InvalidRequestError) || !Array.isArray(error.details?.['errors'])) return error;
  const { status, code, message, details, requestId, url } = error;
  const errors = (details['errors'] as FileProblem[]).map(withoutPlace);
  return new InvalidRequestError(status, code, message, { ...details, errors }, requestId, url);
}

/** Chooses the version that the save expects to be the latest. A workflow without a version can be saved in any case. */
function chooseExpected(latest: string | undefined, baseVersions: string[]): string | undefined {
  if (latest === undefined || baseVersions.includes(latest)) return latest;
  return baseVersions[0] ?? UNKNOWN_VERSION;
}

const findExported = (workflow: Workflow, { exportedFrom }: Pick<WorkflowFile, 'exportedFrom'>): string | undefined =>
  exportedFrom?.workflow === workflow.id ? exportedFrom.version : undefined;

/** Explains why a file is not saved: who saved the version that it would overwrite, and what the user can do. */
async function explainConflict(
  client: MillraceClient,
  workflow: Pick<Workflow, 'id' | 'name'>,
  hasBaseVersion: boolean,
): Promise<CliError> {
  const query = { ordering: '-number', page_size: 1 };
  const { results } = await client.versions.list(workflow.id, query);
  const [latest] = results;
  const author = latest
    ? `Version ${latest.number} was saved by ${await nameAuthor(client, latest.author)} on ${formatTime(latest.created_date)}.`
    : 'The server has a newer version.';
  const reason = hasBaseVersion
    ? `The workflow "${workflow.name}" has changed on the server since you last ran this file.`
    : `The workflow "${workflow.name}" already exists on the server and differs from this file, which you have not run from this machine before.`;
  return new CliError(
    `${reason}\n${author} Nothing was saved, and no run was started.\n` +
      `  To see that version:  millrace export ${workflow.id} --output theirs.yaml\n` +
      '  To overwrite it:      the same command with --force',
  );
}

/** Only organizers of the vault may list its users. */
export async function nameAuthor(client: MillraceClient, author: string): Promise<string> {
  if ((await client.users.me()).id === author) return 'you (elsewhere, or from another file)';
  try {
    for await (const member of client.members.list()) {
      if (member.id === author) return `${member.name} (${member.email})`;
    }
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error;
  }
  return `another user (id ${author})`;
}

const formatTime = (date: string): string => `${date.slice(0, 16).replace('T', ' ')} UTC`;
