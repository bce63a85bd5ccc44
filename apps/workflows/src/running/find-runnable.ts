import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { requireWorkflowAccess } from '../workflows/find-workflow.js';

interface Row {
  id: string;
  name: string;
  spaceId: string;
  spaceName: string;
  projectId: string | null;
  projectName: string | null;
  latest: string | null;
  version: string | null;
  author: string | null;
  /** Null if the caller has it already, or if there is no version. */
  data: string | null;
}

export type Runnable = Row & { version: string; author: string };

export interface RunnableRequest {
  workflow: string;
  /** Absent means the latest. */
  version?: string | undefined;
  /** The version whose data the caller has already. */
  known?: string | undefined;
}

export const newNoVersionError = (): ValidationError =>
  new ValidationError({ workflow: 'has no version yet' }, 'The workflow has no version yet. Save one first.');

/**
 * Finds a workflow with its place and the version to run. One statement, because every run needs it.
 * @throws NotFoundError, ForbiddenError; ValidationError if the workflow has no version yet
 */
export async function findRunnable(
  client: Pick<Transaction, '$queryRaw'>,
  request: RunnableRequest,
  context: Context,
): Promise<Runnable> {
  const [found] = isId(request.workflow) ? await selectRow(client, request, context) : [];
  const { version, author, ...row } = requireWorkflowAccess(found, request.workflow, context);
  if (request.version === undefined && row.latest === null) throw newNoVersionError();
  if (version === null || author === null || (request.version !== undefined && !isId(request.version)))
    throw new NotFoundError(`Version ${request.version ?? 'latest'} of workflow ${row.id}`);
  return { ...row, version, author };
}

/** Omits data that the caller has already, unless the version uses modules, which may have newer versions by now. */
function selectRow(
  client: Pick<Transaction, '$queryRaw'>,
  request: RunnableRequest,
  { caller }: Context,
): Promise<Row[]> {
  const version = request.version !== undefined && isId(request.version) ? request.version : null;
  return client.$queryRaw<Row[]>`
    SELECT w.id::text, w.name, w.space_id::text AS "spaceId", s.name AS "spaceName", w.project_id::text AS "projectId",
      p.name AS "projectName", w.latest_version_id::text AS latest, v.id::text AS version,
      v.author::text AS author,
      CASE WHEN v.id = ${request.known ?? null}::uuid AND cardinality(v.modules) = 0 THEN NULL ELSE v.data END AS data
    FROM workflows.workflow w
    JOIN workflows.space s ON s.id = w.space_id
    LEFT JOIN workflows.project p ON p.id = w.project_id
    LEFT JOIN workflows.version v ON v.id = coalesce(${version}::uuid, w.latest_version_id) AND v.workflow_id = w.id
    WHERE w.id = ${request.workflow}::uuid AND w.vault_id = ${inVault(caller).vaultId}::uuid`;
}
