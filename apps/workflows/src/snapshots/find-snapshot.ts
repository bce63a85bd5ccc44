import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import type { getSnapshot } from '@millrace/contracts/workflows/snapshots';
import type { Transaction } from '@millrace/persistence/database';
import type { Snapshot } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';

/** Finds a snapshot by its id within a workflow or a vault to which the caller has access. @throws NotFoundError */
export async function findSnapshot(
  client: Pick<Transaction, 'snapshot'>,
  id: string,
  within: { workflowId: string } | { vaultId: string },
): Promise<PlacedSnapshot> {
  const where = { id, ...within };
  const found = isId(id) ? await client.snapshot.findFirst({ where, include: withOrigin }) : null;
  if (!found) throw new NotFoundError(`Snapshot ${id}`);
  return found;
}

/** Loads a snapshot with the names of its workflow and space, and its version number. */
export const withOrigin = {
  workflow: { select: { name: true, spaceId: true, space: { select: { name: true } } } },
  version: { select: { number: true } },
} as const;

export interface PlacedSnapshot extends Snapshot {
  workflow: { name: string; spaceId: string; space: { name: string } };
  version: { number: number };
}

export const toSnapshot = (row: PlacedSnapshot): Result<typeof getSnapshot> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  workflow: row.workflowId,
  workflow_name: row.workflow.name,
  workflow_version_info: row.versionId,
  version_number: row.version.number,
  space_info: row.workflow.spaceId,
  space_name: row.workflow.space.name,
  author: row.author,
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
