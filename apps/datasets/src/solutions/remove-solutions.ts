import { dropLive } from '@millrace/contracts/datasets/jobs';
import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { tellFeeding } from '../reporting-nodes/tell-feeding.js';

/**
 * Deletes solutions of a vault with all that is in them: one, or those of a space. Each is held first, so that no table
 * can be put into it any more, and then its tables, so that no workflow can be bound to them.
 */
export async function removeSolutions(
  tx: Transaction,
  { vaultId, ...which }: { vaultId: string } & ({ id: string } | { spaceId: string }),
): Promise<void> {
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM datasets.solution
    WHERE vault_id = ${vaultId}::uuid AND ${'id' in which ? Prisma.sql`id = ${which.id}::uuid` : Prisma.sql`space_id = ${which.spaceId}::uuid`}
    ORDER BY id FOR UPDATE`;
  const solutions = held.map(({ id }) => id);
  const tables = await tx.$queryRaw<{ id: string; number: number }[]>`
    SELECT id::text, number FROM datasets.dataset WHERE solution_id = ANY(${solutions}::uuid[]) ORDER BY id FOR UPDATE`;
  const bound = await tx.reportingNode.findMany({
    where: { datasetId: { in: tables.map(({ id }) => id) } },
    select: { workflowId: true },
  });
  await tx.solution.deleteMany({ where: { id: { in: solutions } } });
  if (tables.length > 0) tx.enqueue(dropLive, { tables: tables.map(({ number }) => number), columns: [] });
  await tellFeeding(
    tx,
    vaultId,
    bound.map(({ workflowId }) => workflowId),
  );
}
