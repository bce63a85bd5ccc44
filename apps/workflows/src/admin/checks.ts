import { findMissingContents } from '@millrace/contracts/runs/contents';
import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type CheckTools, type InvariantCheck } from '@millrace/service/admin/invariant-check';

/** Files from each end of the table. */
const MAX_FILES = 1_000;

/** What must hold for workflows, schedules, files and secrets. */
export const workflowsChecks = (): InvariantCheck[] => [
  checkBySql(
    'The latest version of a workflow exists',
    Prisma.sql`
      SELECT w.id::text AS id FROM workflows.workflow w WHERE w.latest_version_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM workflows.version v WHERE v.id = w.latest_version_id AND v.workflow_id = w.id)`,
  ),
  checkBySql(
    'The project of a workflow is in the same space',
    Prisma.sql`
      SELECT w.id::text AS id FROM workflows.workflow w JOIN workflows.project p ON p.id = w.project_id
      WHERE p.space_id <> w.space_id`,
  ),
  checkBySql(
    'No enabled schedule is overdue by more than 10 minutes',
    Prisma.sql`
      SELECT workflow_id::text AS id FROM workflows.schedule WHERE enabled AND next_at < now() - interval '10 minutes'`,
  ),
  checkBySql(
    'Each due time of a schedule is settled within an hour',
    Prisma.sql`
      SELECT id::text AS id FROM workflows.schedule_tick
      WHERE status = 'pending' AND created_at < now() - interval '1 hour'`,
  ),
  checkBySql(
    'The usage of a vault is the sum of its files',
    Prisma.sql`
      WITH counted AS (SELECT vault_id, count(*) AS files, sum(size) AS bytes FROM workflows.file GROUP BY vault_id)
      SELECT coalesce(c.vault_id, u.vault_id)::text AS id
      FROM counted c FULL JOIN workflows.storage_usage u USING (vault_id)
      WHERE coalesce(c.files, 0) <> coalesce(u.files, 0) OR coalesce(c.bytes, 0) <> coalesce(u.bytes, 0)`,
  ),
  checkBySql(
    'A vault with secret variables has a data key',
    Prisma.sql`
      SELECT DISTINCT s.vault_id::text AS id FROM workflows.secret_variable s
      WHERE NOT EXISTS (SELECT FROM workflows.data_key k WHERE k.vault_id = s.vault_id)`,
  ),
  { name: 'Contents of files are stored (newest and oldest 1,000 files)', findViolations: findMissingFiles },
];

async function findMissingFiles({ database, rpc, limit }: CheckTools): Promise<string[]> {
  const files = await database.client.$queryRaw<{ id: string; sha256: string }[]>`
    (SELECT id::text, sha256 FROM workflows.file ORDER BY file.id DESC LIMIT ${MAX_FILES}::int)
    UNION (SELECT id::text, sha256 FROM workflows.file ORDER BY file.id LIMIT ${MAX_FILES}::int)`;
  const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
  const options = { timeoutMs: 60_000 };
  const { missing } = await rpc.call(findMissingContents, { hashes }, { caller: null }, options);
  const gone = new Set(missing);
  return files.flatMap(({ id, sha256 }) => (gone.has(sha256) ? id : [])).slice(0, limit);
}
