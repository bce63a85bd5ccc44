import { Controller } from '@nestjs/common';
import { NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { deleteSchedule, listTicks, setSchedule } from '@millrace/contracts/workflows/schedules';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { orNotFound } from '@millrace/persistence/or-not-found';
import { inVault } from '@millrace/persistence/tenancy';
import { findWorkflow } from '../workflows/find-workflow.js';
import { lockWorkflow } from '../workflows/lock-workflow.js';
import { publishTriggerChange } from '../workflows/publish-trigger-change.js';
import { readSchedule, toTick } from './read-schedules.js';
import { ScheduleChecker } from './schedule-checker.js';
import { claimTicks } from './ticks/claim-ticks.js';
import { notifyClocks } from './ticks/notify-clocks.js';
import { readScheduleDefinition } from './timetable/read-schedule-definition.js';
import { firstTick } from './timetable/timetable.js';

@Controller()
export class SchedulesController {
  constructor(
    private readonly database: Database,
    private readonly checker: ScheduleChecker,
  ) {}

  /** Ticks that are due already belong to the previous definition; the new one applies from here on. */
  @OperationHandler(setSchedule)
  async set({ params, body }: Input<typeof setSchedule>, context: Context): Promise<Result<typeof setSchedule>> {
    const definition = readScheduleDefinition(body);
    const checked = await findWorkflow(this.database.client, params.id, context);
    const shownInputs = await this.checker.check(checked, definition, context);
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      const { id: workflowId } = workflow;
      const now = await lockSchedule(tx, workflowId);
      const isNew = (await tx.schedule.count({ where: { workflowId } })) === 0;
      if (definition.enabled) await claimTicks(tx, now, Prisma.sql`workflow_id = ${workflowId}::uuid`);
      const next = firstTick(definition, now);
      if (next === null)
        throw new ValidationError({ 'body.cron': 'must occur at least once after now and `start_date`' });
      const row = {
        ...{ ...definition, shownInputs, author: context.caller.user, nextAt: definition.enabled ? next : null },
        ...{ refusedAt: null, refusedReason: null },
      };
      await orNotFound(
        `Workflow ${workflowId}`,
        tx.schedule.upsert({
          where: { workflowId, ...inVault(context.caller) },
          create: { id: newId(), workflowId, ...inVault(context.caller), ...row },
          update: row,
        }),
      );
      publishTriggerChange(tx, isNew ? 'schedule.created' : 'schedule.changed', workflow, context);
      await notifyClocks(tx);
      const schedule = await readSchedule(tx, { id: workflowId });
      if (!schedule) throw new NotFoundError(`Workflow ${workflowId}`);
      return schedule;
    });
  }

  @OperationHandler(deleteSchedule)
  async delete({ params }: Input<typeof deleteSchedule>, context: Context): Promise<null> {
    return this.database.transaction(async (tx) => {
      const workflow = await findWorkflow(tx, params.id, context);
      const { count } = await tx.schedule.deleteMany({
        where: { workflowId: workflow.id, ...inVault(context.caller) },
      });
      if (count === 0) throw new NotFoundError(`The schedule of workflow ${workflow.id}`);
      publishTriggerChange(tx, 'schedule.deleted', workflow, context);
      return null;
    });
  }

  @OperationHandler(listTicks)
  async listTicks({ params, query }: Input<typeof listTicks>, context: Context): Promise<Result<typeof listTicks>> {
    const { client } = this.database;
    const { id: workflowId } = await findWorkflow(client, params.id, context);
    const where = {
      schedule: { workflowId, ...inVault(context.caller) },
      ...(query.status && { status: query.status }),
      ...searchFilter(query.search, ['reason']),
    };
    const [rows, count] = await Promise.all([
      client.scheduleTick.findMany({ where, ...pageArgs(query, { date: 'dueAt' }) }),
      client.scheduleTick.count({ where }),
    ]);
    return { results: rows.map(toTick), count };
  }
}

/**
 * Locks a workflow and then its schedule, in the same order as the handler for the end of a run. @returns the time by
 * Postgres after the locks
 */
async function lockSchedule(tx: Transaction, workflow: string): Promise<Date> {
  await lockWorkflow(tx, workflow);
  await tx.$executeRaw`SELECT 1 FROM workflows.schedule WHERE workflow_id = ${workflow}::uuid FOR UPDATE`;
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return clock?.now ?? new Date();
}
