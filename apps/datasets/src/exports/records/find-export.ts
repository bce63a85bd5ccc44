import type { z } from 'zod';
import type { ExportFormat, exportRequest, ExportStatus } from '@millrace/contracts/datasets/exports';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Permission } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Database } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { notDeleted } from './deleted-exports.js';

/**
 * Finds an export of a table that the caller may query. The table may have been deleted since.
 * @param permission required permission if the operation itself requires no role in a space
 * @throws NotFoundError, ForbiddenError
 */
export async function findExport(
  client: Pick<Database['client'], 'export' | 'solution'>,
  id: string,
  context: Context,
  permission?: Permission,
): Promise<Export> {
  const where = { id: toNumericId(id), ...inVault(context.caller), ...notDeleted };
  const found = await client.export.findFirst({ where });
  if (!found) throw new NotFoundError(`Export ${id}`);
  const inSameVault = { id: found.solutionId, ...inVault(context.caller) };
  const solution = await client.solution.findFirst({ where: inSameVault, select: { isPublic: true } });
  const isPublic = solution?.isPublic ?? false;
  if (permission === undefined) context.requireSpaceRoleUnlessPublic(found.spaceId, `Export ${id}`, isPublic);
  else if (!isPublic) context.requireSpaceRole(found.spaceId, `Export ${id}`, permission);
  return found;
}

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
