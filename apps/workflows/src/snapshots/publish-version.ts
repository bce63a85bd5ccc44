import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { truncateName } from '../truncate-name.js';
import { markPublished } from './mark-published.js';
import { withOrigin, type PlacedSnapshot } from './to-snapshot.js';

export interface PublicationOptions {
  author: string;
  /** If absent or empty, the version's name is used, else the workflow's. */
  name?: string | undefined;
  description?: string | undefined;
}

/**
 * Publishes a version in the library and emits the event. If the version already has a snapshot of this name, that
 * snapshot is the result: a client that repeats the request after a lost response gets the same one. The caller has
 * locked the workflow (`workflows/lock-workflow.ts`), which keeps the flags correct and lets the second of two
 * concurrent requests find the first one's snapshot.
 */
export async function publishVersion(
  tx: Transaction,
  version: Pick<Version, 'id' | 'workflowId' | 'name'>,
  { author, name, description }: PublicationOptions,
): Promise<PlacedSnapshot> {
  const { workflowId, id: versionId } = version;
  const workflow = await tx.workflow.findUniqueOrThrow({ where: { id: workflowId } });
  // A version's name may be longer than a snapshot's.
  const uniqueName = name || truncateName(version.name || workflow.name);
  const where = { versionId_uniqueName: { versionId, uniqueName } };
  const existing = await tx.snapshot.findUnique({ where, include: withOrigin });
  if (existing) return existing;
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
