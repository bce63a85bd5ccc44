import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Workflow } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import type { PlacedWorkflow } from './to-workflow.js';

interface Row extends Workflow {
  spaceName: string;
  projectName: string | null;
}

/**
 * A workflow that the caller may use as the operation declares. Not through Prisma's models, because nearly every request
 * asks it: their join takes Postgres twice as long and this process four times.
 * @throws NotFound, Forbidden
 */
export async function findWorkflow(
  client: Pick<Transaction, '$queryRaw'>,
  id: string,
  context: Context,
): Promise<PlacedWorkflow> {
  const [found] = isId(id) ? await read(client, id, context) : [];
  const { spaceName, projectName, ...row } = admit(found, context);
  return { ...row, space: { name: spaceName }, project: projectName === null ? null : { name: projectName } };
}

function read(client: Pick<Transaction, '$queryRaw'>, id: string, { caller }: Context): Promise<Row[]> {
  return client.$queryRaw<Row[]>`
    SELECT w.id, w.vault_id AS "vaultId", w.space_id AS "spaceId", w.project_id AS "projectId", w.name, w.description,
      w.long_description AS "longDescription", w.author, w.active_runs AS "activeRuns", w.last_run_status AS "lastRunStatus",
      w.last_run_at AS "lastRunAt", w.latest_version_id AS "latestVersionId", w.is_app AS "isApp",
      w.has_database AS "hasDatabase", w.created_at AS "createdAt",
      w.modified_at AS "modifiedAt", s.name AS "spaceName", p.name AS "projectName"
    FROM workflows.workflow w
    JOIN workflows.space s ON s.id = w.space_id
    LEFT JOIN workflows.project p ON p.id = w.project_id
    WHERE w.id = ${id}::uuid AND w.vault_id = ${inVault(caller).vaultId}::uuid`;
}

/** Whoever may not see a workflow of their vault is told the same as of one that is not there. @throws NotFound, Forbidden */
export function admit<W extends { spaceId: string }>(found: W | null | undefined, context: Context): W {
  if (!found) throw new NotFound('Workflow');
  context.enter(found.spaceId, 'Workflow');
  return found;
}
