import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { publishVersion } from '../../snapshots/publish-version.js';
import { lockWorkflow } from '../../workflows/lock-workflow.js';
import type { EncodedData } from './encode-data.js';

interface NewVersion extends EncodedData {
  author: string;
  name?: string | undefined;
  /** Whether to publish the version in the library, too. */
  snapshot?: boolean | undefined;
  /** The latest version when the author started; null to save over any version. */
  expected: string | null;
}

/**
 * Adds a version to a workflow. If the data equals that of the latest version, that version is the result instead.
 * Saves of one workflow run one after the other, so of two that expect the same version one succeeds.
 * @throws VersionConflictError, NotFoundError if the workflow was deleted in the meantime
 */
export async function addVersion(tx: Transaction, workflow: string, version: NewVersion): Promise<Version> {
  const { latestVersionId: latestId } = await lockWorkflow(tx, workflow);
  const latest = latestId === null ? null : await tx.version.findUniqueOrThrow({ where: { id: latestId }, select });
  const isSameData = latest?.dataHash === version.dataHash;
  if (version.expected !== null && version.expected.toLowerCase() !== latestId) {
    throw new VersionConflictError(latestId, isSameData);
  }
  const saved =
    latest && isSameData
      ? await tx.version.findUniqueOrThrow({ where: { id: latest.id } })
      : await insertVersion(tx, workflow, (latest?.number ?? 0) + 1, version);
  if (!version.snapshot || saved.snapshot) return saved;
  await publishVersion(tx, saved, { author: version.author });
  return { ...saved, snapshot: true };
}

/** Not the data: up to 10 MiB, which other saves would wait for at the lock. */
const select = { id: true, number: true, dataHash: true } as const;

async function insertVersion(tx: Transaction, workflow: string, number: number, version: NewVersion): Promise<Version> {
  const { data, dataHash, modules, library, author, name } = version;
  const place = { id: newId(), workflowId: workflow, number };
  const inserted = await tx.version.create({
    data: { ...place, data, dataHash, modules, library, author, ...(name && { name }) },
  });
  await tx.workflow.update({ where: { id: workflow }, data: { latestVersionId: inserted.id } });
  return inserted;
}

/** The workflow's latest version is not the one that the author started from. */
export class VersionConflictError extends ApiError {
  /** @param sameData whether the latest version has the data that was to be saved */
  constructor(
    readonly latestVersionId: string | null,
    sameData: boolean,
  ) {
    const details = { latest_version_id: latestVersionId, same_data: sameData };
    super(
      'version_conflict',
      'Another user saved the workflow in the meantime. Load the latest version, merge your changes, and save again.',
      details,
    );
  }
}
