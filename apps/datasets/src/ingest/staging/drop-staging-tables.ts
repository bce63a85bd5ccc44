import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { stagingName } from '../../live/names.js';

/** Drops the staging tables of all batches of a load. */
export async function dropStagingTables(tx: Transaction, load: bigint): Promise<void> {
  const batches = await tx.loadPart.findMany({ where: { loadId: load }, distinct: ['batch'], select: { batch: true } });
  if (batches.length === 0) return;
  const names = batches.map(({ batch }) => stagingName(batch)).join(', ');
  await tx.$executeRaw(Prisma.raw(`DROP TABLE IF EXISTS ${names}`));
}
