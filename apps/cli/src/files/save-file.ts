import type { CallResult } from '@millrace/sdk/call-input';
import type { MillraceClient } from '@millrace/sdk/client';
import { MillraceError } from '@millrace/sdk/millrace-error';
import type { Workflow } from '@millrace/sdk/records';
import { versions } from '@millrace/sdk/resources';
import { describeSystemError, isSystemError } from '../describe-system-error.js';
import type { KnownVersions } from './known-versions.js';
import { refuseOverwrite } from './refuse-overwrite.js';
import type { FileData, WorkflowFile } from './workflow-file.js';

export type SavedVersion = CallResult<typeof versions.saveVersion>;

export interface SaveOptions {
  client: MillraceClient;
  known: KnownVersions;
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
