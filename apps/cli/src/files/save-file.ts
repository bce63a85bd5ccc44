import type { CallResult } from '@millrace/sdk/call-input';
import type { MillraceClient } from '@millrace/sdk/client';
import { MillraceError } from '@millrace/sdk/millrace-error';
import type { Workflow } from '@millrace/sdk/records';
import { versions, members, users } from '@millrace/sdk/resources';
import { CliError } from '../cli-error.js';
import { describeSystemError, isSystemError } from '../describe-system-error.js';
import type { VersionsFile } from './versions-file.js';
import type { FileData, WorkflowFile } from './workflow-file.js';

export type SavedVersion = CallResult<typeof versions.saveVersion>;

export interface SaveOptions {
  client: MillraceClient;
  known: VersionsFile;
  /** Whether a version that this machine does not know may be overwritten. */
  force: boolean;
  warn: (line: string) => void;
}

/** No version has such an id: the server then compares the data, and refuses if it differs. */
const UNKNOWN_VERSION = 'never-saved-from-here';

/**
 * Saves a file's data as the latest version of a workflow. If that version is neither one that the file is known to have
 * been nor equal to the data, it is somebody else's work and stays.
 * @param snapshot whether the version is published, too
 * @throws CliError that says who saved that version
 */
export async function saveFile(
  { client, known, force, warn }: SaveOptions,
  workflow: Workflow,
  file: Pick<WorkflowFile, 'path' | 'exportedFrom'>,
  { data, snapshot }: { data: FileData; snapshot: boolean },
): Promise<SavedVersion> {
  const place = { server: client.baseUrl, workflow: workflow.id, file: file.path };
  const bases = [await known.find(place), findExported(workflow, file)].filter((id) => id !== undefined);
  const save = async (expected: string | undefined): Promise<SavedVersion> => {
    const body = {
      data,
      ...(snapshot && { snapshot }),
      ...(expected !== undefined && { expected_version_id: expected }),
    };
    try {
      return await client.call(versions.saveVersion, { params: { id: workflow.id }, body });
    } catch (error) {
      if (!(error instanceof MillraceError) || error.code !== 'version_conflict') throw error;
      const { latest_version_id: latest, same_data: isSame } = error.details ?? {};
      if (isSame === true && typeof latest === 'string') return save(latest);
      throw await refuseOverwrite(client, workflow, bases.length > 0);
    }
  };
  const saved = await save(force ? undefined : chooseExpected(workflow.latest_version_info, bases));
  await known.remember(place, saved.id).catch((error: unknown) => {
    // A home that is read-only, as in many containers, is no reason not to run.
    if (!isSystemError(error)) throw error;
    warn(
      `Warning: the number of the saved version cannot be stored, so a later run of the changed file may need --force. ${describeSystemError(error)}`,
    );
  });
  return saved;
}

/** A workflow without a version has nothing that could be overwritten. */
function chooseExpected(latest: string | undefined, bases: string[]): string | undefined {
  if (latest === undefined || bases.includes(latest)) return latest;
  return bases[0] ?? UNKNOWN_VERSION;
}

const findExported = (workflow: Workflow, { exportedFrom }: Pick<WorkflowFile, 'exportedFrom'>): string | undefined =>
  exportedFrom?.workflow === workflow.id ? exportedFrom.version : undefined;

/** Why a file is not saved: who saved the version that it would overwrite, and what the user can do. */
async function refuseOverwrite(
  client: MillraceClient,
  workflow: Pick<Workflow, 'id' | 'name'>,
  wasKnown: boolean,
): Promise<CliError> {
  const query = { ordering: '-number', page_size: 1 };
  const { results } = await client.call(versions.listVersions, { params: { id: workflow.id }, query });
  const [latest] = results;
  const saved = latest
    ? `Version ${latest.number} was saved by ${await nameAuthor(client, latest.author)} on ${formatTime(latest.created_date)}.`
    : 'It has a newer version.';
  const why = wasKnown
    ? `The workflow "${workflow.name}" has changed on the server since you last ran this file.`
    : `The workflow "${workflow.name}" already exists on the server and differs from this file, which you have not run from this machine before.`;
  return new CliError(
    `${why}\n${saved} Nothing was saved, and no run was started.\n` +
      `  To see that version:  npx millrace export ${workflow.id} --output theirs.yaml\n` +
      '  To overwrite it:      the same command with --force',
  );
}

/** Only those who organize the vault may list its users. */
async function nameAuthor(client: MillraceClient, author: string): Promise<string> {
  if ((await client.call(users.getMe)).id === author) return 'you (elsewhere, or from another file)';
  try {
    for await (const member of client.each(members.listMembers)) {
      if (member.id === author) return `${member.name} (${member.email})`;
    }
  } catch (error) {
    if (!(error instanceof MillraceError) || error.status !== 403) throw error;
  }
  return `another user (id ${author})`;
}

const formatTime = (date: string): string => `${date.slice(0, 16).replace('T', ' ')} UTC`;
