import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import type { Version } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';

/** Finds a version of the workflow by its id, or its `latest`. @throws NotFoundError */
export async function findVersion(
  client: Pick<Transaction, 'version'>,
  workflow: { id: string; latestVersionId: string | null },
  requested: string,
): Promise<Version> {
  const id = requested === 'latest' ? workflow.latestVersionId : requested;
  const where = { workflowId: workflow.id };
  const found = id !== null && isId(id) ? await client.version.findFirst({ where: { id, ...where } }) : null;
  if (!found) throw new NotFoundError(`Version ${requested} of workflow ${workflow.id}`);
  return found;
}
