import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Serializes changes of one workflow until the transaction ends. The next statement sees the result of the previous
 * change.
 * @throws NotFoundError if the workflow was deleted in the meantime
 */
export async function lockWorkflow(
  tx: Pick<Transaction, '$queryRaw'>,
  workflow: string,
): Promise<{ latestVersionId: string | null }> {
  const [locked] = await tx.$queryRaw<{ latestVersionId: string | null }[]>`
    SELECT latest_version_id::text AS "latestVersionId"
    FROM workflows.workflow WHERE id = ${workflow}::uuid FOR NO KEY UPDATE`;
  if (!locked) throw new NotFoundError(`Workflow ${workflow}`);
  return locked;
}

/**
 * Locks the workflows of a batch of events. A separate statement, so that the next one sees the result of the previous
 * batch. Locks in the order of ids, because several batches about the same workflows are handled at the same time.
 */
export async function lockWorkflows(
  tx: Pick<Transaction, '$executeRaw'>,
  events: { workflow: string }[],
): Promise<void> {
  const ids = [...new Set(events.map(({ workflow }) => workflow))];
  await tx.$executeRaw`
    SELECT 1 FROM workflows.workflow WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}
