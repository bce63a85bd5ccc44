import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { deleteDatasets } from '../datasets/delete-datasets.js';

/**
 * Deletes solutions of a vault with all that is in them: one, or those of a space. They are held first, so that no table
 * can be put into one any more.
 */
export async function deleteSolutions(
  tx: Transaction,
  { vaultId, ...which }: { vaultId: string } & ({ id: string } | { spaceId: string }),
): Promise<void> {
  const isMeant = 'id' in which ? Prisma.sql`id = ${which.id}::uuid` : Prisma.sql`space_id = ${which.spaceId}::uuid`;
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM datasets.solution WHERE vault_id = ${vaultId}::uuid AND ${isMeant} ORDER BY id FOR UPDATE`;
  const solutions = { in: held.map(({ id }) => id) };
  const tables = await tx.dataset.findMany({ where: { solutionId: solutions }, select: { id: true } });
  await deleteDatasets(
    tx,
    vaultId,
    tables.map(({ id }) => id),
  );
  await tx.solution.deleteMany({ where: { id: solutions } });
}
