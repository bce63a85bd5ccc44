import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

const logs = Prisma.raw(`coalesce((stdout->>'size')::bigint, 0) + coalesce((stderr->>'size')::bigint, 0)`);

/** Bytes of the outputs and logs of all children of some steps, those of their former attempts included. */
export async function measureChildren(tx: Transaction, run: bigint, steps: readonly number[]): Promise<number> {
  const children = Prisma.sql`run_id = ${run} AND step = ANY(${[...steps]}::int[]) AND task > 0`;
  const [row] = await tx.$queryRaw<{ bytes: bigint }[]>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM (
      SELECT sum(size + coalesce(shown_size, 0)) AS bytes FROM runs.output WHERE ${children}
      UNION ALL SELECT sum(${logs}) FROM runs.subjob WHERE ${children}
      UNION ALL SELECT sum(${logs}) FROM runs.attempt
        WHERE run_id = ${run} AND subjob_id IN (SELECT id FROM runs.subjob WHERE ${children})) AS stored`;
  return Number(row?.bytes ?? 0);
}
