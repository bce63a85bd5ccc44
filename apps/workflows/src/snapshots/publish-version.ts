import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { truncateName } from '../truncate-name.js';
import { markPublished } from './mark-published.js';
import { withOrigin, type PlacedSnapshot } from './to-snapshot.js';

export interface PublicationOptions {
  author: string;
  /** Absent or empty is the name of the version, else that of the workflow. */
  name?: string | undefined;
  description?: string | undefined;
}

/**
 * Puts a version into the library, and emits the event of it. A version that has a snapshot of this name already stays as
 * it is, and that snapshot is the result: a client that publishes again after a lost response gets the same one. The
 * transaction holds the lock of the workflow (`workflows/lock-workflow.ts`), so that the marks stay true, and of two that
 * publish at once the second finds the snapshot of the first.
 */
export async function publishVersion(
  tx: Transaction,
  version: Pick<Version, 'id' | 'workflowId' | 'name'>,
  { author, name, description }: PublicationOptions,
): Promise<PlacedSnapshot> {
  const { workflowId, id: versionId } = version;
  const workflow = await tx.workflow.findUniqueOrThrow({ where: { id: workflowId } });
  // A version's name may be longer than that of a snapshot.
  const uniqueName = name || truncateName(version.name || workflow.name);
  const where = { versionId_uniqueName: { versionId, uniqueName } };
  const former = await tx.snapshot.findUnique({ where, include: withOrigin });
  if (former) return former;
  const data = {
    id: newId(),
    vaultId: workflow.vaultId,
    workflowId,
    versionId,
    author,
    name: uniqueName,
    uniqueName,
    ...(description !== undefined && { description }),
  };
  const published = await tx.snapshot.create({ data, include: withOrigin });
  await markPublished(tx, workflowId, versionId);
  tx.emit(snapshotPublished, {
    snapshot: published.id,
    name: published.name,
    vault: workflow.vaultId,
    space: workflow.spaceId,
    workflow: workflowId,
    workflowName: workflow.name,
    version: versionId,
    author,
    at: published.createdAt.toISOString(),
  });
  return published;
}
