import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import type { getVersion } from '@millrace/contracts/workflows/versions';
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

export const toVersionSummary = (row: Omit<Version, 'data'>) => ({
  id: row.id,
  workflow_info: row.workflowId,
  number: row.number,
  ...(row.name && { name: row.name }),
  ...(row.description && { description: row.description }),
  snapshot: row.snapshot,
  author: row.author,
  run_count: row.runCount,
  created_date: row.createdAt.toISOString(),
});

export const toVersion = (row: Version): Result<typeof getVersion> => ({
  ...toVersionSummary(row),
  data: JSON.parse(row.data) as Record<string, unknown>,
});
