import { Controller } from '@nestjs/common';
import {
  clearDataset,
  createDataset,
  deleteDataset,
  getDataset,
  listDatasets,
  updateDataset,
} from '@millrace/contracts/datasets/datasets';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { findSolution } from '../solutions/find-solution.js';
import { changeKey, clearRows } from './clear-rows.js';
import { DatasetTransactions } from './dataset-transactions.js';
import { deleteDatasets } from './delete-datasets.js';
import { findDatasetPage, findDataset } from './find-dataset.js';
import { insertDataset, planColumns } from './insert-dataset.js';
import { preemptLocks } from './lock-datasets.js';
import { toDataset, toListedDataset } from './to-dataset.js';

@Controller()
export class DatasetsController {
  constructor(
    private readonly database: Database,
    private readonly transactions: DatasetTransactions,
  ) {}

  @OperationHandler(listDatasets)
  async list({ query }: Input<typeof listDatasets>, { caller }: Context): Promise<Result<typeof listDatasets>> {
    const { rows, count } = await findDatasetPage(this.database.client, query, caller);
    return { results: rows.map(toListedDataset), count };
  }

  @OperationHandler(createDataset)
  async create({ body }: Input<typeof createDataset>, context: Context): Promise<Result<typeof createDataset>> {
    const columns = planColumns(body.columns ?? [], body.primary_key ?? []);
    return this.database.transaction(async (tx) => {
      const { id, spaceId } = await findSolution(tx, body.solution, context);
      // The lock prevents that the solution is deleted before the table is in it.
      const locked = await tx.$queryRaw<
        unknown[]
      >`SELECT 1 FROM datasets.solution WHERE id = ${id}::uuid FOR KEY SHARE`;
      if (locked.length === 0) throw new NotFoundError(`Solution ${body.solution}`);
      const owner = { ...inVault(context.caller), spaceId, solutionId: id, author: context.caller.user };
      const { name, description } = body;
      return toDataset(await insertDataset(tx, { ...owner, name, ...(description && { description }), columns }));
    });
  }

  @OperationHandler(getDataset)
  async get({ params }: Input<typeof getDataset>, context: Context): Promise<Result<typeof getDataset>> {
    return toDataset(await findDataset(this.database.client, params.id, context));
  }

  @OperationHandler(updateDataset)
  async update({ params, body }: Input<typeof updateDataset>, context: Context): Promise<Result<typeof updateDataset>> {
    const { name, description, primary_key: key } = body;
    const data = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
    const applyUpdate = async (tx: Transaction, id: string) => {
      await tx.dataset.updateMany({ where: { id }, data });
      return toDataset(await findDataset(tx, id, context));
    };
    // A new name needs no lock; a new key must lock the table.
    if (key === undefined) {
      return this.database.transaction(async (tx) => {
        const { id } = await findDataset(tx, params.id, context);
        return applyUpdate(tx, id);
      });
    }
    return this.transactions.run(params.id, context, async (tx, dataset) => {
      await changeKey(tx, dataset, key);
      return applyUpdate(tx, dataset.id);
    });
  }

  @OperationHandler(deleteDataset)
  async delete({ params }: Input<typeof deleteDataset>, context: Context): Promise<null> {
    return preemptLocks(this.database, async (tx) => {
      const { id } = await findDataset(tx, params.id, context);
      await deleteDatasets(tx, context.caller.vault, [id]);
      return null;
    });
  }

  @OperationHandler(clearDataset)
  async clear({ params }: Input<typeof clearDataset>, context: Context): Promise<Result<typeof clearDataset>> {
    return this.transactions.run(params.id, context, async (tx, dataset) => {
      await clearRows(tx, dataset, dataset.columns);
      return toDataset(await findDataset(tx, dataset.id, context));
    });
  }
}
