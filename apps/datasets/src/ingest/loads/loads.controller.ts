import { Controller } from '@nestjs/common';
import {
  getLoad,
  listBoundOutputs,
  listLoads,
  listRejected,
  listRunLoads,
  retryLoad,
} from '@millrace/contracts/datasets/loads';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Load, Prisma, RejectedRow } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import { pageArgs } from '@millrace/persistence/list';
import { inQueryableSpaces, inVault } from '@millrace/persistence/tenancy';
import { findDataset } from '../../datasets/find-dataset.js';
import { canRetry } from './load-transitions.js';
import { restartLoad } from './restart-load.js';
import { toLoad, toLoads } from './to-load.js';

const COLUMNS = { created_date: 'createdAt' };

@Controller()
export class LoadsController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @OperationHandler(listLoads)
  async list({ params, query }: Input<typeof listLoads>, context: Context): Promise<Result<typeof listLoads>> {
    const dataset = await findDataset(this.database.client, params.id, context);
    return this.findPage(query, {
      datasetId: dataset.id,
      ...(query.run !== undefined && { runId: toNumericId(query.run) }),
      ...(query.status && { status: { in: query.status } }),
    });
  }

  @OperationHandler(listRunLoads)
  async listOfRun(
    { params, query }: Input<typeof listRunLoads>,
    { caller, requestId }: Context,
  ): Promise<Result<typeof listRunLoads>> {
    const request = { run: params.id, vault: caller.vault, limit: 1 };
    const { run } = await this.rpc.call(listBoundOutputs, request, { caller: null, requestId });
    if (!run) throw new NotFoundError(`Run ${params.id}`);
    const queryable = { OR: [inQueryableSpaces(caller), { solution: { isPublic: true } }] };
    const readable = caller.spaces === 'all' ? {} : { dataset: queryable };
    return this.findPage(query, { ...inVault(caller), runId: toNumericId(params.id), ...readable });
  }

  private async findPage(query: Parameters<typeof pageArgs>[0], where: Prisma.LoadWhereInput) {
    const { client } = this.database;
    const [loads, count] = await Promise.all([
      client.load.findMany({ where, ...pageArgs(query, COLUMNS) }),
      client.load.count({ where }),
    ]);
    return { results: await toLoads(client, loads), count };
  }

  @OperationHandler(getLoad)
  async get({ params }: Input<typeof getLoad>, context: Context): Promise<Result<typeof getLoad>> {
    return toLoad(this.database.client, await findLoad(this.database.client, params, context));
  }

  @OperationHandler(retryLoad)
  retry({ params }: Input<typeof retryLoad>, context: Context): Promise<Result<typeof retryLoad>> {
    return this.database.transaction(async (tx) => {
      const { id } = await findLoad(tx, params, context);
      await tx.$queryRaw`SELECT 1 FROM datasets.load WHERE id = ${id} FOR UPDATE`;
      const load = await tx.load.findUniqueOrThrow({ where: { id } });
      if (!canRetry(load.status)) {
        throw new ValidationError({ 'params.loadId': `must be a failed load (load ${id} is ${load.status})` });
      }
      return toLoad(tx, await restartLoad(tx, load));
    });
  }

  @OperationHandler(listRejected)
  async listRejectedRows(
    { params, query }: Input<typeof listRejected>,
    context: Context,
  ): Promise<Result<typeof listRejected>> {
    const { client } = this.database;
    const dataset = await findDataset(client, params.id, context);
    const where: Prisma.RejectedRowWhereInput = {
      datasetId: dataset.id,
      ...(query.load !== undefined && { loadId: toNumericId(query.load) }),
      ...(query.run !== undefined && { load: { runId: toNumericId(query.run) } }),
    };
    const [rows, count] = await Promise.all([
      client.rejectedRow.findMany({
        where,
        include: { load: { select: { runId: true } }, part: { select: { subjobId: true, outputId: true } } },
        ...pageArgs(query),
      }),
      client.rejectedRow.count({ where }),
    ]);
    return { results: rows.map(toRejectedRow), count };
  }
}

/** @throws NotFoundError, ForbiddenError */
async function findLoad(
  client: Pick<Transaction, 'dataset' | 'load'>,
  params: { id: string; loadId: string },
  context: Context,
): Promise<Load> {
  const dataset = await findDataset(client, params.id, context);
  const load = await client.load.findFirst({ where: { id: toNumericId(params.loadId), datasetId: dataset.id } });
  if (!load) throw new NotFoundError(`Load ${params.loadId}`);
  return load;
}

type StoredRow = RejectedRow & {
  load: { runId: bigint | null };
  part: { subjobId: bigint | null; outputId: string | null };
};

function toRejectedRow(row: StoredRow): Result<typeof listRejected>['results'][number] {
  const { runId } = row.load;
  const { subjobId, outputId } = row.part;
  return {
    load: String(row.loadId),
    ...(runId !== null && { run: String(runId) }),
    ...(subjobId !== null && { subjob: String(subjobId) }),
    ...(outputId !== null && { output: outputId }),
    line: Number(row.line),
    reason: row.reason,
    text: row.text,
    created_date: row.createdAt.toISOString(),
  };
}
