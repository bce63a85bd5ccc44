import { Controller } from '@nestjs/common';
import { deleteColumn, listColumns, updateColumn } from '@millrace/contracts/datasets/columns';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { dropLiveTables } from '@millrace/contracts/datasets/jobs';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DatasetTransactions } from '../datasets/dataset-transactions.js';
import { findDataset, type FullDataset } from '../datasets/find-dataset.js';
import { whereIndexesColumn } from '../indexes/index-ddl.js';
import { findColumn, formerType, toColumns } from './dataset-columns.js';
import { retypeColumn } from './retype-column.js';

@Controller()
export class ColumnsController {
  constructor(
    private readonly database: Database,
    private readonly change: DatasetTransactions,
  ) {}

  @OperationHandler(listColumns)
  async list({ params }: Input<typeof listColumns>, context: Context): Promise<Result<typeof listColumns>> {
    return { results: toColumns(await findDataset(this.database.client, params.id, context)) };
  }

  @OperationHandler(updateColumn)
  async update({ params, body }: Input<typeof updateColumn>, context: Context): Promise<Result<typeof updateColumn>> {
    return this.change.run(params.id, context, async (tx, dataset) => {
      const column = findColumn(dataset, params.name);
      const { name = column.name, type = column.type } = body;
      if (name !== column.name && dataset.columns.some((other) => other.name === name)) {
        throw new ValidationError({
          'body.name': `must not be the name of another column (got ${JSON.stringify(name)})`,
        });
      }
      const retyped = body.type !== undefined && type !== column.type ? body.type : null;
      if (retyped !== null) await retypeColumn(tx, dataset, column, retyped);
      const where = { datasetId_number: { datasetId: dataset.id, number: column.number } };
      const declared = column.declared || body.type !== undefined;
      const former = retyped !== null && { formerType: formerType(column.type as ColumnType, retyped) };
      await tx.datasetColumn.update({ where, data: { name, type, declared, ...former } });
      const columns = toColumns(await this.incrementRevision(tx, dataset, context));
      return columns.find((candidate) => !candidate.system && candidate.name === name) as Result<typeof updateColumn>;
    });
  }

  @OperationHandler(deleteColumn)
  async delete({ params }: Input<typeof deleteColumn>, context: Context): Promise<null> {
    return this.change.run(params.id, context, async (tx, dataset) => {
      const { number, keyPosition } = findColumn(dataset, params.name);
      if (keyPosition !== null) {
        throw new ValidationError({
          'params.name': 'must not be a column of the primary key, which cannot be deleted',
        });
      }
      await tx.datasetColumn.delete({ where: { datasetId_number: { datasetId: dataset.id, number } } });
      await tx.datasetIndex.deleteMany({ where: whereIndexesColumn(dataset.id, number) });
      await this.incrementRevision(tx, dataset, context);
      // A job drops the values later, because dropping them has to wait for all readers of the table.
      tx.enqueue(dropLiveTables, { tables: [], columns: [{ table: dataset.number, column: number }] });
      return null;
    });
  }

  private async incrementRevision(tx: Transaction, { id }: FullDataset, context: Context): Promise<FullDataset> {
    await tx.dataset.update({ where: { id }, data: { revision: { increment: 1 } } });
    return findDataset(tx, id, context);
  }
}
