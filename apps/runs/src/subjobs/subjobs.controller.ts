import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { listChildStatuses } from '@millrace/contracts/runs/child-statuses';
import {
  getDistribution,
  getSubjob,
  listChildren,
  listSubjobs,
  readLogs,
  stopSubjob,
} from '@millrace/contracts/runs/subjobs';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { Prisma, Run, Subjob } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import { escapeLike } from '@millrace/persistence/list';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { PlanStore } from '../engine/plans/plan-store.js';
import { stopSubjob as requestStop } from '../engine/stop/stop-subjob.js';
import { RunTransaction } from '../engine/transaction/run-transaction.js';
import { findRun, findSubjob } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { publishControl } from '../runs/publish-control.js';
import { describeSubjobs, toAttempt, toLastAttempt, type SubjobRecord } from './describe-subjobs.js';
import { locateLog } from './locate-log.js';
import { readChildStatuses } from './read-child-statuses.js';
import { SubjobLists } from './subjob-lists.js';

@Controller()
export class SubjobsController {
  constructor(
    private readonly database: Database,
    private readonly transaction: RunTransaction,
    private readonly dispatcher: Dispatcher,
    private readonly plans: PlanStore,
    private readonly lists: SubjobLists,
  ) {}

  @OperationHandler(listSubjobs)
  async list({ params, query }: Input<typeof listSubjobs>, context: Context): Promise<Result<typeof listSubjobs>> {
    const run = await findRun(this.database, context, params.id);
    // The name of a module node selects all nodes inside it.
    const ofNode: Prisma.SubjobWhereInput =
      query.node === undefined
        ? {}
        : { OR: [{ node: query.node }, { node: { startsWith: `${escapeLike(query.node)}/` } }] };
    if (query.parent === undefined) return this.lists.listNodes(run, query, ofNode);
    const group = await this.database.client.subjob.findFirst({
      where: { id: toNumericId(query.parent), runId: run.id, AND: ofNode },
    });
    return this.lists.listChildren(run, group, query);
  }

  @OperationHandler(listChildren)
  async children(
    { params, query }: Input<typeof listChildren>,
    context: Context,
  ): Promise<Result<typeof listChildren>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    return this.lists.listChildren(run, subjob, query);
  }

  @OperationHandler(listChildStatuses)
  async statuses(
    { params, query }: Input<typeof listChildStatuses>,
    context: Context,
  ): Promise<Result<typeof listChildStatuses>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const statuses = await readChildStatuses(this.database, run, subjob, query);
    if (!statuses) throw new NotFoundError(`Subjob ${params.subjobId}`);
    return statuses;
  }

  @OperationHandler(getSubjob)
  async get({ params }: Input<typeof getSubjob>, context: Context): Promise<Result<typeof getSubjob>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const record = await this.describe(this.database.client, run, subjob);
    const attempts = await this.database.client.attempt.findMany({
      where: { runId: run.id, subjobId: subjob.id },
      orderBy: { attempt: 'asc' },
    });
    return { ...record, attempts: [...attempts.map(toAttempt), toLastAttempt(record)] };
  }

  private async describe(client: Database['client'] | Transaction, run: Run, subjob: Subjob): Promise<SubjobRecord> {
    const [record] = await describeSubjobs(client, this.plans, run, [subjob]);
    if (!record) throw new NotFoundError(`Subjob ${subjob.id}`);
    return record;
  }

  @OperationHandler(getDistribution)
  async distribution({ params }: Input<typeof getDistribution>, context: Context): Promise<{ splits: number }> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const plan = await loadPlan(this.plans, run);
    const isGroup = plan.step(subjob.step).scope !== null && subjob.task === 0;
    return { splits: isGroup ? (subjob.taskCount ?? 0) : 1 };
  }

  @OperationHandler(stopSubjob)
  async stop({ params }: Input<typeof stopSubjob>, context: Context): Promise<Result<typeof stopSubjob>> {
    const { run, subjob } = await findSubjob(this.database, context, params);
    const record = await this.transaction.run({
      lock: { ids: [run.id] },
      change: async (tx, runs, cancel) => {
        const locked = runs.get(run.id);
        if (!locked) throw new NotFoundError(`Run ${params.id}`);
        if (!locked.isEnding) {
          const seqBefore = locked.changeSeq;
          for (const cancellation of await requestStop(tx, locked, subjob)) cancel(cancellation);
          // Nothing changes if the subjob has ended, or is stopping already.
          if (locked.changeSeq > seqBefore) {
            locked.stoppedBy ??= context.caller.user;
            const details = { subjob: String(subjob.id), node: subjob.node };
            publishControl(tx, run, context, { action: 'subjob.stopped', details });
          }
        }
        const present = await tx.subjob.findUnique({ where: { id: subjob.id } });
        // A retry that splits its input again removes the former children.
        if (!present) throw new NotFoundError(`Subjob ${subjob.id}`);
        return this.describe(tx, run, present);
      },
    });
    this.dispatcher.wake();
    return record;
  }

  @OperationHandler(readLogs)
  async logs({ params, query }: Input<typeof readLogs>, context: Context): Promise<Result<typeof readLogs>> {
    const { subjob } = await findSubjob(this.database, context, params);
    const { state, attempt, stored, running } = await locateLog(this.database, subjob, query);
    return { state, attempt, ...(stored && { stored }), ...(running && { running }) };
  }
}
