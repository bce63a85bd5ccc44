import { ValidationError } from '@millrace/contracts/kit/api-error';
import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import type { Problem } from '@millrace/graph/check/problem';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { truncateName } from '../truncate-name.js';
import { withOrigin, type PlacedSnapshot } from './find-snapshot.js';

interface PublicationOptions {
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

/**
 * Updates the flags of a version and its workflow for existing snapshots. A separate statement after the lock of the
 * workflow, so that it sees the current snapshots. It leaves `modified_at` unchanged, because publishing does not
 * change the workflow.
 */
export async function markPublished(tx: Transaction, workflow: string, version: string): Promise<void> {
  await tx.$executeRaw`
    WITH marked AS (
      UPDATE workflows.version v
      SET snapshot = EXISTS (SELECT 1 FROM workflows.snapshot s WHERE s.version_id = v.id)
      WHERE v.id = ${version}::uuid)
    UPDATE workflows.workflow w
    SET is_app = EXISTS (SELECT 1 FROM workflows.snapshot s WHERE s.workflow_id = w.id)
    WHERE w.id = ${workflow}::uuid`;
}

/**
 * Refuses to publish a version that cannot run. A draft may be unfinished; a published version may not.
 * @param field the request field that names the version
 * @throws ValidationError that lists all problems as `errors`
 */
export function checkPublishable(errors: readonly Problem[], field: string): void {
  const [first] = errors;
  if (!first) return;
  throw new ValidationError(
    { [field]: first.message, errors },
    'The version has errors, so it cannot be published. Fix them and save a new version.',
  );
}
