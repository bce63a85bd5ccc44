import type { Prisma } from '@millrace/persistence/generated/client';

/** The indexes of a table that a column is in. */
export const whereIndexesColumn = (datasetId: string, column: number): Prisma.DatasetIndexWhereInput => ({
  datasetId,
  OR: [{ column }, { by: column }],
});
