import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { publishVersion } from '../../snapshots/publish-version.js';
import { lockWorkflow } from '../../workflows/lock-workflow.js';
import type { EncodedData } from './encode-data.js';
import { VersionConflictError } from './version-conflict-error.js';

export interface NewVersion extends EncodedData {
  author: string;
  name?: string | undefined;
  /** Whether it is to stand in the library, too. */
  snapshot?: boolean | undefined;
  /** The version that the author began with; null where they did not say. */
  expected: string | null;
}

/**
 * Adds a version to a workflow, unless its data is that of the latest one, which is given back then. Saves of one
 * workflow wait for each other, so of two that expect the same version one wins.
 * @throws VersionConflict, NotFoundError where the workflow was deleted meanwhile
 */
export async function addVersion(tx: Transaction, workflow: string, save: NewVersion): Promise<Version> {
  const { latestVersionId: latestId } = await lockWorkflow(tx, workflow);
  const latest = latestId === null ? null : await tx.version.findUniqueOrThrow({ where: { id: latestId }, select });
  if (save.expected !== null && save.expected.toLowerCase() !== latestId) {
    throw new VersionConflictError(latestId, latest?.dataHash === save.dataHash);
  }
  const saved =
    latest?.dataHash === save.dataHash
      ? await tx.version.findUniqueOrThrow({ where: { id: latest.id } })
      : await insertVersion(tx, workflow, (latest?.number ?? 0) + 1, save);
  if (!save.snapshot || saved.snapshot) return saved;
  await publishVersion(tx, saved, { author: save.author });
  return { ...saved, snapshot: true };
}

/** Not its data: up to 10 MiB, for which others would wait at the lock. */
const select = { id: true, number: true, dataHash: true } as const;

async function insertVersion(tx: Transaction, workflow: string, number: number, save: NewVersion): Promise<Version> {
  const { data, dataHash, modules, library, author, name } = save;
  const place = { id: newId(), workflowId: workflow, number };
  const added = await tx.version.create({
    data: { ...place, data, dataHash, modules, library, author, ...(name && { name }) },
  });
  await tx.workflow.update({ where: { id: workflow }, data: { latestVersionId: added.id } });
  return added;
}
