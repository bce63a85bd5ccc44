import type { Prisma } from '@millrace/persistence/generated/client';

/** Filter for the indexes of a table that contain a column. */
export const whereIndexesColumn = (datasetId: string, column: number): Prisma.DatasetIndexWhereInput => ({
  datasetId,
  OR: [{ column }, { by: column }],
});
