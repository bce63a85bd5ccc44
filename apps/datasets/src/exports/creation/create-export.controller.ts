import { Controller } from '@nestjs/common';
import { createExport } from '@millrace/contracts/datasets/exports';
import { writeExport } from '@millrace/contracts/datasets/jobs';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { View } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';
import { QueryError, type QueryPart } from '@millrace/query/parse/query-error';
import { findDataset, type FullDataset } from '../../datasets/find-dataset.js';
import { LiveReader } from '../../reading/live-reader.js';
import { ShapeCache } from '../../reading/shape-cache.js';
import { joinQueries } from '../../views/saved-query.js';
import { exportJobId, limitUnfinishedExports } from '../export-queue.js';
import { toExport } from '../records/find-export.js';
import { type RowSelection, planRows } from '../writing/select-rows.js';
import { checkRegexes } from './check-regexes.js';
import { nameFile } from './name-file.js';

type CreateExportBody = Input<typeof createExport>['body'];

@Controller()
export class CreateExportController {
  constructor(
    private readonly database: Database,
    private readonly shapes: ShapeCache,
    private readonly reader: LiveReader,
  ) {}

  @OperationHandler(createExport)
  async create({ body }: Input<typeof createExport>, context: Context): Promise<Result<typeof createExport>> {
    const source = await findExportSource(this.database.client, body, context);
    const rows = await this.checkRows(body, source, context);
    return this.database.transaction(async (tx) => {
      await limitUnfinishedExports(tx, context.caller);
      const { dataset, view } = source;
      const record = await tx.export.create({
        data: {
          vaultId: dataset.vaultId,
          spaceId: dataset.spaceId,
          datasetId: dataset.id,
          solutionId: dataset.solutionId,
          viewId: view?.id ?? null,
          viewName: view?.name ?? null,
          user: context.caller.user,
          ...rows,
          format: body.format,
          fileName: nameFile(body.fileName, (view ?? dataset).name, body.format, new Date()),
          status: 'PENDING',
        },
      });
      tx.enqueue(writeExport, { export: String(record.id) }, { id: exportJobId(record.id) });
      return toExport(record);
    });
  }

  /** `select` and `order` of the request replace those of the view. The conditions of both apply. @throws ValidationError */
  private async checkRows(
    body: CreateExportBody,
    { dataset, view }: ExportSource,
    { caller }: Context,
  ): Promise<RowSelection> {
    const shape = await this.shapes.load(dataset.id);
    const { q = '', select = view?.select ?? '', order = view?.order ?? '' } = body;
    const check = (text: string) =>
      planRows(shape.number, shape.columns, { q: text, select, order }, new Date()).condition;
    const viewFields = {
      ...(body.select === undefined && { select: 'view' }),
      ...(body.order === undefined && { order: 'view' }),
    };
    try {
      await checkRegexes({ reader: this.reader, user: caller.user }, shape, check(q));
    } catch (error) {
      refuseQuery(error, viewFields);
    }
    try {
      check(view?.q ?? '');
    } catch (error) {
      refuseQuery(error, { q: 'view' });
    }
    return { q: joinQueries(view?.q ?? '', q), select, order };
  }
}

interface ExportSource {
  dataset: FullDataset;
  view: View | null;
}

/** Finds the view or table of an export. @throws ValidationError, NotFoundError, ForbiddenError */
async function findExportSource(
  tx: Pick<Transaction, 'dataset' | 'view'>,
  body: CreateExportBody,
  context: Context,
): Promise<ExportSource> {
  if ((body.view === undefined) === (body.dataset === undefined)) {
    const problem = 'exactly one of `view` and `dataset` must be set';
    throw new ValidationError({ 'body.view': problem, 'body.dataset': problem });
  }
  if (body.dataset !== undefined) return { dataset: await findDataset(tx, body.dataset, context), view: null };
  const id = body.view ?? '';
  const view = isId(id) ? await tx.view.findFirst({ where: { id, ...inVault(context.caller) } }) : null;
  if (!view) throw new NotFoundError(`View ${id}`);
  return { dataset: await findDataset(tx, view.datasetId, context), view };
}

/**
 * Turns the error of a query into a ValidationError that names the field of the request.
 * @param fields fields of the body that the parts of the query come from, if they differ
 * @throws ValidationError; any other error unmodified
 */
function refuseQuery(error: unknown, fields: Partial<Record<QueryPart, string>> = {}): never {
  if (!(error instanceof QueryError)) throw error;
  const { part, position, expected, message } = error;
  const field = fields[part] ?? part;
  throw new ValidationError({ [`body.${field}`]: message, position, expected }, `${part}: ${message}`);
}
