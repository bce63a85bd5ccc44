import { Controller } from '@nestjs/common';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { compareTableRows, compareTables, ROW_CHANGES } from '@millrace/contracts/datasets/run-tables';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { toNumericId } from '@millrace/persistence/ids';
import { RequestDeduplicator } from '../concurrency/request-deduplicator.js';
import { ShapeCache } from '../reading/shape-cache.js';
import { findComparedTable, findComparedTables } from './find-compared-tables.js';
import { emptyPage, type RowPlace } from './reading/list-rows.js';
import { findRunSides } from './sides/find-run-sides.js';
import { TableComparer } from './table-comparer.js';

/** For all tables of a page together. The gateway waits for 30 s. */
const COUNT_TIMEOUT_MS = 8_000;

type TableResult = Result<typeof compareTables>['results'][number];
type Page = Input<typeof compareTableRows>['query'];

/** Compares the Live Tables of two runs. */
@Controller()
export class RunTablesController {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly shapes: ShapeCache,
    private readonly comparer: TableComparer,
    private readonly deduplicator: RequestDeduplicator,
  ) {}

  @OperationHandler(compareTables)
  async compare(
    { params, query }: Input<typeof compareTables>,
    context: Context,
  ): Promise<Result<typeof compareTables>> {
    const [a, b] = await this.authorizeRuns(params, context);
    const { ids, next } = await findComparedTables(this.database.client, context, [a, b], query);
    const results = await this.deduplicator.run('run-tables', context, () => this.countAll(ids, a, b, context));
    return { results, cursor: next };
  }

  @OperationHandler(compareTableRows)
  async rows(
    { params, query }: Input<typeof compareTableRows>,
    context: Context,
  ): Promise<Result<typeof compareTableRows>> {
    const place = toPlace(query);
    const [a, b] = await this.authorizeRuns(params, context);
    const id = await findComparedTable(this.database.client, context, params.dataset);
    return this.deduplicator.run('run-table-rows', context, () => this.listPage(id, a, b, { query, place, context }));
  }

  /** @returns the numbers of both runs. @throws NotFoundError, ForbiddenError */
  private async authorizeRuns({ id, otherId }: { id: string; otherId: string }, context: Context) {
    for (const run of new Set([id, otherId])) {
      const request = { run, vault: context.caller.vault, limit: 1 };
      const { run: found } = await this.rpc.call(listBoundOutputs, request, {
        caller: null,
        requestId: context.requestId,
      });
      if (!found) throw new NotFoundError(`Run ${run}`);
      context.requireSpaceRole(found.space, `Run ${run}`);
    }
    return [toNumericId(id), toNumericId(otherId)] as const;
  }

  /** The time that remains is shared equally by the tables that remain. */
  private async countAll(ids: readonly string[], a: bigint, b: bigint, context: Context): Promise<TableResult[]> {
    const sideOf = await findRunSides(this.database.client, ids, [a, b]);
    const deadline = performance.now() + COUNT_TIMEOUT_MS;
    const results: TableResult[] = [];
    for (const [at, id] of ids.entries()) {
      const timeoutMs = Math.max(1, (deadline - performance.now()) / (ids.length - at));
      const sides = { a: sideOf(id, a), b: sideOf(id, b) };
      results.push(...(await this.countOne(id, sides, context, timeoutMs).catch(nothingIfDeleted)));
    }
    return results;
  }

  private async countOne(
    id: string,
    sides: Parameters<TableComparer['count']>[1],
    { caller }: Context,
    timeoutMs: number,
  ): Promise<TableResult[]> {
    const table = await this.database.client.dataset.findUnique({
      where: { id },
      include: { columns: { where: { keyPosition: { not: null } }, orderBy: { keyPosition: 'asc' } } },
    });
    if (!table) throw new NotFoundError(`Live Table ${id}`);
    const counted = await this.comparer.count(await this.shapes.load(id), sides, caller.user, timeoutMs);
    return [{ ...counted, name: table.name, primary_key: table.columns.map(({ name }) => name) }];
  }

  private async listPage(
    id: string,
    a: bigint,
    b: bigint,
    { query, place, context }: { query: Page; place: RowPlace | null; context: Context },
  ): Promise<Result<typeof compareTableRows>> {
    const sideOf = await findRunSides(this.database.client, [id], [a, b]);
    const sides = { a: sideOf(id, a), b: sideOf(id, b) };
    const shape = await this.shapes.load(id);
    const changes = ROW_CHANGES.filter((change) => query.change?.includes(change) ?? true);
    const results: Result<typeof compareTableRows>['results'] = [];
    let space = emptyPage(query.page_size);
    for (const change of place ? changes.slice(changes.indexOf(place.change)) : changes) {
      const after = place?.change === change ? place.after : 0n;
      if (space.rows <= 0 || space.bytes <= 0) return { results, cursor: `${change}.0` };
      const page = { place: { change, after }, space };
      const listed = await this.comparer.list(shape, sides, context.caller.user, page);
      results.push(...listed.rows);
      if (listed.next !== null) return { results, cursor: `${change}.${listed.next}` };
      ({ space } = listed);
    }
    return { results, cursor: null };
  }
}

function toPlace({ cursor, change: changes = [...ROW_CHANGES] }: Page): RowPlace | null {
  if (cursor === undefined) return null;
  const [, name, after] = /^(\w+)\.(\d{1,18})$/.exec(cursor) ?? [];
  const change = changes.find((one) => one === name);
  if (change !== undefined && after !== undefined) return { change, after: BigInt(after) };
  throw new ValidationError({
    'query.cursor': 'must be the `cursor` of a page with the same `change`; without it, the first page is returned',
  });
}

/** A table that was deleted since it was found is left out. */
function nothingIfDeleted(error: unknown): [] {
  if (error instanceof NotFoundError) return [];
  throw error;
}
