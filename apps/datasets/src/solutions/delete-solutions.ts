import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { deleteDatasets } from '../datasets/delete-datasets.js';

/**
 * Deletes one solution, or all solutions of a space, with their contents. It locks them first, so that no table can be
 * added.
 */
export async function deleteSolutions(
  tx: Transaction,
  { vaultId, ...selection }: { vaultId: string } & ({ id: string } | { spaceId: string }),
): Promise<void> {
  const isSelected =
    'id' in selection ? Prisma.sql`id = ${selection.id}::uuid` : Prisma.sql`space_id = ${selection.spaceId}::uuid`;
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM datasets.solution WHERE vault_id = ${vaultId}::uuid AND ${isSelected} ORDER BY id FOR UPDATE`;
  const solutions = { in: locked.map(({ id }) => id) };
  const tables = await tx.dataset.findMany({ where: { solutionId: solutions }, select: { id: true } });
  await deleteDatasets(
    tx,
    vaultId,
    tables.map(({ id }) => id),
  );
  await tx.solution.deleteMany({ where: { id: solutions } });
}
