import type { z } from 'zod';
import type { ExportFormat, exportRequest, ExportStatus } from '@millrace/contracts/datasets/exports';
import type { Export } from '@millrace/persistence/generated/client';

/** Converts an export to the form of the API. */
export function toExport(record: Export): z.output<typeof exportRequest> {
  const { id, vaultId, user, viewId, viewName, solutionId, datasetId, fileName, error, finishedAt, expiresAt } = record;
  return {
    id: String(id),
    vaultId,
    user,
    ...(viewId !== null && { queryId: viewId }),
    ...(viewName !== null && { viewName }),
    solutionId,
    datasetId,
    fileName,
    format: record.format as ExportFormat,
    size: Number(record.size),
    rows: Number(record.rows),
    status: record.status as ExportStatus,
    ...(error !== null && { error }),
    createdAt: record.createdAt.toISOString(),
    ...(finishedAt !== null && { finishedAt: finishedAt.toISOString() }),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  };
}
