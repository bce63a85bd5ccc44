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
  /** Null also where the rpc holds it. */
  data: string | null;
}

export type Runnable = Row & { version: string; author: string };

export interface RunnableRequest {
  workflow: string;
  /** Absent is the latest. */
  version?: string | undefined;
  known?: string | undefined;
}

export const newNoVersionError = (): ValidationError =>
  new ValidationError({ workflow: 'has no version yet' }, 'The workflow has no version yet');

/**
 * A workflow with its place and the version to run, in one statement because every run asks for it.
 * @throws NotFoundError, ForbiddenError; ValidationError where the workflow has no version yet
 */
export async function findRunnable(
  client: Pick<Transaction, '$queryRaw'>,
  wanted: RunnableRequest,
  context: Context,
): Promise<Runnable> {
  const [found] = isId(wanted.workflow) ? await read(client, wanted, context) : [];
  const { version, author, ...row } = requireWorkflowAccess(found, context);
  if (wanted.version === undefined && row.latest === null) {
    throw newNoVersionError();
  }
  if (version === null || author === null || (wanted.version !== undefined && !isId(wanted.version)))
    throw new NotFoundError('Version');
  return { ...row, version, author };
}

/** What is known goes without its data, unless it uses modules, which may be others by now. */
function read(client: Pick<Transaction, '$queryRaw'>, wanted: RunnableRequest, { caller }: Context): Promise<Row[]> {
  const version = wanted.version !== undefined && isId(wanted.version) ? wanted.version : null;
  return client.$queryRaw<Row[]>`
    SELECT w.id::text, w.name, w.space_id::text AS "spaceId", s.name AS "spaceName", w.project_id::text AS "projectId",
      p.name AS "projectName", w.latest_version_id::text AS latest, v.id::text AS version,
      v.author::text AS author,
      CASE WHEN v.id = ${wanted.known ?? null}::uuid AND cardinality(v.modules) = 0 THEN NULL ELSE v.data END AS data
    FROM workflows.workflow w
    JOIN workflows.space s ON s.id = w.space_id
    LEFT JOIN workflows.project p ON p.id = w.project_id
    LEFT JOIN workflows.version v ON v.id = coalesce(${version}::uuid, w.latest_version_id) AND v.workflow_id = w.id
    WHERE w.id = ${wanted.workflow}::uuid AND w.vault_id = ${inVault(caller).vaultId}::uuid`;
}
