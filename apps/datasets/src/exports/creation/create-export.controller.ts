import { Controller } from '@nestjs/common';
import { createExport } from '@millrace/contracts/datasets/exports';
import { writeExport } from '@millrace/contracts/datasets/jobs';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { LiveReader } from '../../reading/live-reader.js';
import { ShapeCache } from '../../reading/shape-cache.js';
import { exportJobId } from '../records/export-job-id.js';
import { toExport } from '../records/to-export.js';
import { checkRegexes } from './check-regexes.js';
import { findExportSource, type ExportSource } from './find-export-source.js';
import { joinQueries } from './join-queries.js';
import { limitUnfinishedExports } from './limit-unfinished-exports.js';
import { nameFile } from './name-file.js';
import { type RowSelection, planRows } from './plan-rows.js';
import { refuseQuery } from './refuse-query.js';

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
