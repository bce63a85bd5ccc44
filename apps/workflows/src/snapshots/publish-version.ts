import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { cutName } from '../cut-name.js';
import { markPublished } from './mark-published.js';
import { withOrigin, type PlacedSnapshot } from './to-snapshot.js';

export interface Publication {
  author: string;
  /** Absent or empty is the name of the version, else that of the workflow. */
  name?: string | undefined;
  description?: string | undefined;
}

/**
 * Puts a version into the library, and tells so. The transaction holds the lock of its workflow
 * (`workflows/lock-workflow.ts`), so that the marks stay true.
 */
export async function publishVersion(
  tx: Transaction,
  version: Pick<Version, 'id' | 'workflowId' | 'name'>,
  { author, name, description }: Publication,
): Promise<PlacedSnapshot> {
  const { workflowId, id: versionId } = version;
  const workflow = await tx.workflow.findUniqueOrThrow({ where: { id: workflowId } });
  const data = {
    id: newId(),
    vaultId: workflow.vaultId,
    workflowId,
    versionId,
    author,
    // A version's name may be longer than that of a snapshot.
    name: name || cutName(version.name || workflow.name),
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
