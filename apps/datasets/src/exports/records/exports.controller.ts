import { Controller, Inject, Logger } from '@nestjs/common';
import { deleteExport, downloadExport, getExport, listExports } from '@millrace/contracts/datasets/exports';
import { ForbiddenError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { inQueryableSpaces, inVault } from '@millrace/persistence/tenancy';
import type { ObjectStore } from '@millrace/storage/object-store';
import { EXPORT_STORE } from '../../object-stores.js';
import { markDeleted, notDeleted, removeExport } from './deleted-exports.js';
import { findExport, toExport } from './find-export.js';

@Controller()
export class ExportsController {
  private readonly logger = new Logger(ExportsController.name);

  constructor(
    private readonly database: Database,
    @Inject(EXPORT_STORE) private readonly store: ObjectStore,
  ) {}

  @OperationHandler(listExports)
  async list({ query }: Input<typeof listExports>, { caller }: Context): Promise<Result<typeof listExports>> {
    const { status, dataset } = query;
    if (dataset !== undefined && !isId(dataset)) return { results: [], count: 0 };
    const where = {
      ...inVault(caller),
      AND: [
        notDeleted,
        await this.readableBy(caller),
        searchFilter(query.search, ['fileName', 'viewName']),
        { ...(status && { status }), ...(dataset !== undefined && { datasetId: dataset }) },
      ],
    };
    const [records, count] = await Promise.all([
      this.database.client.export.findMany({ where, ...pageArgs(query) }),
      this.database.client.export.count({ where }),
    ]);
    return { results: records.map(toExport), count };
  }

  @OperationHandler(getExport)
  async get({ params }: Input<typeof getExport>, context: Context): Promise<Result<typeof getExport>> {
    return toExport(await findExport(this.database.client, params.id, context));
  }

  @OperationHandler(downloadExport)
  async download({ params }: Input<typeof downloadExport>, context: Context): Promise<Result<typeof downloadExport>> {
    const { status, sha256, size, fileName } = await findExport(this.database.client, params.id, context);
    if (status === 'COMPLETED' && sha256 !== null) return { name: fileName, sha256, size: Number(size) };
    throw new ValidationError(
      { 'params.id': `must be a completed export (export ${params.id} is ${status})` },
      `Export ${params.id} is ${status}; only a completed export has a file.`,
    );
  }

  @OperationHandler(deleteExport)
  async delete({ params }: Input<typeof deleteExport>, context: Context): Promise<Result<typeof deleteExport>> {
    const { id, isFinished } = await this.database.transaction(async (tx) => {
      const record = await findExport(tx, params.id, context, 'space.query');
      requireOwner(record, context.caller);
      const deleted = await markDeleted(tx, record.id);
      if (!deleted) throw new NotFoundError(`Export ${params.id}`);
      return { id: record.id, ...deleted };
    });
    // The record is marked as deleted, so the reconciler repeats a deletion that fails here.
    const logFailure = (error: unknown) =>
      this.logger.warn({ message: 'Export file deletion failed; retrying', export: String(id), error });
    if (isFinished) await removeExport(this.database, this.store, id).catch(logFailure);
    return null;
  }

  /** Exports of tables in spaces where the caller has a role, and in public solutions. */
  private async readableBy(caller: Caller) {
    if (caller.spaces === 'all') return {};
    const solutions = await this.database.client.solution.findMany({
      where: { ...inVault(caller), isPublic: true },
      select: { id: true },
    });
    return { OR: [inQueryableSpaces(caller), { solutionId: { in: solutions.map(({ id }) => id) } }] };
  }
}

/** @throws ForbiddenError unless the caller created the export or may edit its space */
function requireOwner({ user, spaceId }: { user: string; spaceId: string }, caller: Caller): void {
  if (user === caller.user || caller.spaces === 'all') return;
  const role = Object.hasOwn(caller.spaces, spaceId) ? caller.spaces[spaceId] : undefined;
  if (role && hasSpaceRole(role, 'write')) return;
  throw new ForbiddenError('Only the user who created an export, or a user who may edit its space, can delete it.');
}
