import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type CheckTools, type InvariantCheck } from '@millrace/service/admin/invariant-check';
import { openStore } from '@millrace/storage/open-store';
import { storageArea } from '@millrace/storage/settings/storage-env';
import type { DatasetsEnv } from '../env.js';

const MAX_EXPORTS = 1_000;
/** A deleted table is dropped by a job within this time, unless the system is busy. */
const DROP_MS = 5_000;

/** What must hold for Live Tables and exports. */
export const datasetsChecks = (env: DatasetsEnv): InvariantCheck[] => [
  checkBySql(
    'The rows of a Live Table have their table in Postgres',
    Prisma.sql`
      SELECT d.id::text AS id FROM datasets.dataset d WHERE to_regclass('live.d_' || d.number) IS NULL`,
  ),
  { name: 'No table in Postgres belongs to a Live Table that does not exist', findViolations: findOrphanTables },
  checkBySql(
    'The latest generation of a source exists',
    Prisma.sql`
      SELECT s.dataset_id || '/' || s.number AS id FROM datasets.source s
      WHERE s.latest IS NOT NULL AND NOT EXISTS (
        SELECT FROM datasets.generation g WHERE g.dataset_id = s.dataset_id AND g.number = s.latest)`,
  ),
  checkBySql(
    'A load ends within a day',
    Prisma.sql`
      SELECT id::text AS id FROM datasets.load WHERE finished_at IS NULL AND created_at < now() - interval '1 day'`,
  ),
  {
    name: 'Files of exports are stored (newest 1,000 exports)',
    findViolations: (tools) => findMissingExports(env, tools),
  },
];

/** Two looks, because a job drops the table shortly after its Live Table was deleted. */
async function findOrphanTables({ database, limit }: CheckTools): Promise<string[]> {
  const find = () => database.client.$queryRaw<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'live'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^d_[0-9]+(_changes)?$'
      AND NOT EXISTS (SELECT FROM datasets.dataset d WHERE d.number::text = substring(c.relname from '[0-9]+'))
    ORDER BY c.relname LIMIT ${limit}::int`;
  const first = await find();
  if (first.length === 0) return [];
  await sleep(DROP_MS);
  const second = new Set((await find()).map(({ name }) => name));
  return first.map(({ name }) => name).filter((name) => second.has(name));
}

async function findMissingExports(env: DatasetsEnv, { database, limit }: CheckTools): Promise<string[]> {
  const store = openStore(storageArea(env, 'exports'));
  const rows = await database.client.$queryRaw<{ id: string; sha256: string }[]>`
    SELECT id::text, sha256 FROM datasets.export
    WHERE status = 'COMPLETED' AND sha256 IS NOT NULL AND expires_at > now() + interval '1 hour'
    ORDER BY export.id DESC LIMIT ${MAX_EXPORTS}::int`;
  const missing: string[] = [];
  for (const { id, sha256 } of rows) if (missing.length < limit && !(await store.has(sha256))) missing.push(id);
  return missing;
}
