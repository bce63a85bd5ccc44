import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  createRun,
  deleteRun,
  getRun,
  listRuns,
  listWorkflowRuns,
  runEvents,
  stopRun,
} from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { searchFilter } from '@millrace/persistence/list';
import { inReadableSpaces, inVault } from '@millrace/persistence/tenancy';
import { hideRuns } from '../engine/delete/hide-runs.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { stopRun as requestStop } from '../engine/stop/stop-run.js';
import { RunTransaction } from '../engine/transaction/run-transaction.js';
import { readChanges } from '../engine/transaction/stored-changes.js';
import { InputMasker } from '../inputs/input-masker.js';
import { toInputs } from '../inputs/to-inputs.js';
import { RunRequests } from '../launch/run-requests.js';
import { RunStarter } from '../launch/run-starter.js';
import { KeyPage, type KeyQuery } from '../lists/key-page.js';
import { toParameters } from '../parameters/to-parameters.js';
import { WorkerRegistry } from '../workers/worker-registry.js';
import { describeWaiting } from './describe-waiting.js';
import { findRun, readRun } from './find-run.js';
import { loadPlan } from './load-plan.js';
import { publishControl } from './publish-control.js';
import { toRun } from './to-run.js';

const COLUMNS = {
  created_date: { field: 'createdAt', type: 'date' },
  started_date: { field: 'startedAt', type: 'date', isNullable: true },
  completed_date: { field: 'finishedAt', type: 'date', isNullable: true },
  name: { field: 'name', type: 'text' },
} as const;
/** Rows of status changes read at once; each has up to 1,000. */
const MAX_CHANGE_ROWS = 50;
/** Large columns that lists leave out. */
const OMITTED_COLUMNS = { inputs: true, shownInputs: true, parameters: true } as const;

@Controller()
export class RunsController {
  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
    private readonly plans: PlanStore,
    private readonly starter: RunStarter,
    private readonly rpc: RpcClient,
    private readonly masker: InputMasker,
    private readonly workers: WorkerRegistry,
    private readonly requests: RunRequests,
  ) {}

  @OperationHandler(createRun)
  async create({ params, body }: Input<typeof createRun>, context: Context): Promise<Result<typeof createRun>> {
    const request = await this.requests.read(context, params.id, body);
    return this.starter.start(context, request, (run, { plan }) => ({
      ...toRun(run),
      ...toParameters(run),
      inputs: toInputs(run, plan),
    }));
  }

  @OperationHandler(listRuns)
  list({ query }: Input<typeof listRuns>, context: Context): Promise<Result<typeof listRuns>> {
    const { workflow, space, status, creation_type } = query;
    if ((workflow !== undefined && !isId(workflow)) || (space !== undefined && !isId(space))) {
      return Promise.resolve({ results: [], count: 0, cursor: null });
    }
    return this.find(query, context, {
      ...(workflow !== undefined && { workflowId: workflow }),
      ...(space !== undefined && { AND: { spaceId: space } }),
      ...(status && { status: { in: status } }),
      ...(creation_type && { creationType: creation_type }),
    });
  }

  @OperationHandler(listWorkflowRuns)
  async listForWorkflow(
    { params, query }: Input<typeof listWorkflowRuns>,
    context: Context,
  ): Promise<Result<typeof listWorkflowRuns>> {
    const { id, space } = await this.rpc.call(locateWorkflow, { workflow: params.id }, context.envelope);
    context.requireSpaceRole(space, `Workflow ${params.id}`);
    return this.find(query, context, {
      workflowId: id,
      ...(query.status && { status: { in: query.status } }),
      ...(query.creation_type && { creationType: query.creation_type }),
    });
  }

  private async find(query: KeyQuery, context: Context, filter: Prisma.RunWhereInput & { workflowId?: string }) {
    const { client } = this.database;
    const where = {
      ...inVault(context.caller),
      ...inReadableSpaces(context.caller),
      ...filter,
      ...searchFilter(query.search, ['name', 'workflowName']),
    };
    const page = new KeyPage(query, COLUMNS, `runs of ${filter.workflowId ?? 'all workflows'}`);
    const { orderBy, skip, take } = page;
    const [found, counted] = await Promise.all([
      client.run.findMany({ where: { AND: [where, page.where] }, omit: OMITTED_COLUMNS, orderBy, skip, take }),
      page.count ?? client.run.count({ where }),
    ]);
    const { rows, ...rest } = page.close(found, counted);
    return { results: rows.map(toRun), ...rest };
  }

  @OperationHandler(getRun)
  async get({ params }: Input<typeof getRun>, context: Context): Promise<Result<typeof getRun>> {
    const run = await findRun(this.database, context, params.id);
    const plan = await loadPlan(this.plans, run);
    const isOver = run.finishedAt !== null;
    const waiting = isOver ? null : await describeWaiting(this.database, run, (await this.workers.readFleets()).fleets);
    const inputs = toInputs(await this.masker.maskStored(run, plan, context), plan.plan);
    return { ...toRun(run), ...toParameters(run), inputs, ...(waiting && { waiting_for: waiting }) };
  }

  @OperationHandler(deleteRun)
  async delete({ params }: Input<typeof deleteRun>, context: Context): Promise<null> {
    const run = await findRun(this.database, context, params.id);
    const { id } = run;
    const isDeleted = await this.database.transaction(async (tx) => {
      const hidden = await hideRuns(tx, [id]);
      if (hidden.length > 0) publishControl(tx, run, context, { action: 'run.deleted' });
      return hidden.length > 0;
    });
    if (isDeleted) return null;
    await readRun(this.database.client, id);
    throw new ValidationError({ 'params.id': 'names a run that has not ended; stop the run first' });
  }

  @OperationHandler(stopRun)
  async stop({ params }: Input<typeof stopRun>, context: Context): Promise<Result<typeof stopRun>> {
    const found = await findRun(this.database, context, params.id);
    const { id } = found;
    return this.transaction.run({
      lock: { ids: [id] },
      change: async (tx, runs, cancel) => {
        for (const run of runs.values()) {
          if (!run.isEnding) publishControl(tx, found, context, { action: 'run.stopped' });
          cancel({ dispatches: await requestStop(tx, run, { stoppedBy: context.caller.user }) });
        }
      },
      read: async (tx) => toRun(await readRun(tx, id)),
    });
  }

  @OperationHandler(runEvents)
  async events({ params, query }: Input<typeof runEvents>, context: Context): Promise<Result<typeof runEvents>> {
    const run = await findRun(this.database, context, params.id);
    const { runChange } = this.database.client;
    // The next change may be in the middle of a row.
    const first = await runChange.findFirst({
      where: { runId: run.id, seq: { lte: query.after + 1 } },
      orderBy: { seq: 'desc' },
      select: { seq: true },
    });
    const rows = await runChange.findMany({
      where: { runId: run.id, seq: { gte: first?.seq ?? 0 } },
      orderBy: { seq: 'asc' },
      take: MAX_CHANGE_ROWS,
    });
    const changes = rows
      .flatMap(({ seq, changes: stored }) => readChanges(stored).map((change, n) => ({ seq: seq + n, change })))
      .filter(({ seq }) => seq > query.after);
    const last = changes.at(-1)?.seq ?? query.after;
    return { changes, more: last < run.changeSeq, status: run.status as RunStatus };
  }
}
