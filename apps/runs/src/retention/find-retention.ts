import type { Database, Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** A workflow in its space, and how long its runs are kept. Null means no limit. */
export interface KeptWorkflow {
  vault: string;
  space: string;
  workflow: string;
  days: number | null;
  runs: number | null;
  /** The workflow was deleted, by itself or with its space. */
  isDeleted: boolean;
}

type Client = Pick<Database['client'] | Transaction, '$queryRaw'>;

/** The vaults that have limits, or whose spaces have some, in the order of their ids. */
export async function findLimitedVaults(client: Client, after: string | null, limit: number): Promise<string[]> {
  const rows = await client.$queryRaw<{ vault: string }[]>`
    SELECT DISTINCT vault_id::text AS vault FROM runs.retention_policy
    WHERE (days IS NOT NULL OR runs IS NOT NULL) AND (${after}::uuid IS NULL OR vault_id > ${after}::uuid)
    ORDER BY 1 LIMIT ${limit}::int`;
  return rows.map(({ vault }) => vault);
}

/** The limits of the space of a workflow; those of the vault if it has none of its own. */
const policyOf = (vault: Prisma.Sql, space: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT days, runs FROM runs.retention_policy
  WHERE vault_id = ${vault} AND scope_id IN (${space}, ${vault}) AND NOT unset
  ORDER BY scope_id = ${space} DESC LIMIT 1`;

/**
 * A page of the workflows of a vault that have runs, in the order of space and id. Each is one step in an index, however
 * many runs it has. Workflows without limits have null in both.
 */
export async function findWorkflows(
  client: Client,
  vault: string,
  after: Pick<KeptWorkflow, 'space' | 'workflow'> | null,
  limit: number,
): Promise<KeptWorkflow[]> {
  const next = (start: Prisma.Sql) => Prisma.sql`
    SELECT r.space_id, r.workflow_id FROM runs.run r WHERE r.vault_id = ${vault}::uuid AND ${start}
    ORDER BY r.space_id, r.workflow_id LIMIT 1`;
  const first = after
    ? Prisma.sql`(r.space_id, r.workflow_id) > (${after.space}::uuid, ${after.workflow}::uuid)`
    : Prisma.sql`true`;
  return client.$queryRaw<KeptWorkflow[]>`
    WITH RECURSIVE listed AS (
      (${next(first)})
      UNION ALL
      SELECT n.* FROM listed l CROSS JOIN LATERAL (
        ${next(Prisma.sql`(r.space_id, r.workflow_id) > (l.space_id, l.workflow_id)`)}) AS n),
    page AS MATERIALIZED (SELECT * FROM listed LIMIT ${limit}::int)
    SELECT ${vault} AS vault, space_id::text AS space, workflow_id::text AS workflow, p.days, p.runs,
      EXISTS (SELECT FROM runs.deleted_workflow d WHERE d.workflow_id = page.workflow_id) AS "isDeleted"
    FROM page LEFT JOIN LATERAL (${policyOf(Prisma.sql`${vault}::uuid`, Prisma.sql`space_id`)}) AS p ON true
    ORDER BY space_id, workflow_id`;
}

/** Whether a workflow still has these limits. They do not change until the transaction ends. */
export async function hasSameRetention(tx: Transaction, workflow: KeptWorkflow): Promise<boolean> {
  const { vault, space, days, runs } = workflow;
  await tx.$queryRaw`
    SELECT 1 FROM runs.retention_policy WHERE scope_id IN (${vault}::uuid, ${space}::uuid) ORDER BY scope_id FOR SHARE`;
  const [policy] = await tx.$queryRaw<Pick<KeptWorkflow, 'days' | 'runs'>[]>(
    policyOf(Prisma.sql`${vault}::uuid`, Prisma.sql`${space}::uuid`),
  );
  return policy !== undefined && policy.days === days && policy.runs === runs;
}
