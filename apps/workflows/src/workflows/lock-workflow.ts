import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Makes changes of one workflow wait for each other, until this transaction ends. What the next statement reads is then
 * what the one before has left.
 * @throws NotFoundError where the workflow was deleted meanwhile
 */
export async function lockWorkflow(
  tx: Pick<Transaction, '$queryRaw'>,
  workflow: string,
): Promise<{ latestVersionId: string | null }> {
  const [locked] = await tx.$queryRaw<{ latestVersionId: string | null }[]>`
    SELECT latest_version_id::text AS "latestVersionId"
    FROM workflows.workflow WHERE id = ${workflow}::uuid FOR NO KEY UPDATE`;
  if (!locked) throw new NotFoundError('Workflow');
  return locked;
}
