import { Controller } from '@nestjs/common';
import {
  adminTaskStarted,
  cancelAdminTask,
  getAdminTask,
  listAdminTasks,
  startCheck,
  startReindex,
  type TASK_KINDS,
  type TaskService,
  workOnTask,
} from '@millrace/contracts/auth/admin/admin-tasks';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { isId, newId } from '@millrace/persistence/ids';
import { pageArgs } from '@millrace/persistence/list';
import { writeAdminAudit } from '../audit/write-admin-audit.js';
import { type TaskRow, toAdminTask } from './to-admin-task.js';

type Described = Result<typeof getAdminTask>;

interface NewTask {
  kind: (typeof TASK_KINDS)[number];
  services: TaskService[];
  indexes?: string[] | undefined;
}

/** A task without an end for this long does not prevent another one: one of its services may no longer exist. */
const MAX_TASK_MS = 24 * 3_600_000;

/** Starts checks and reindexes, which all services work on, and shows their progress. */
@Controller()
export class AdminTasksController {
  constructor(private readonly database: Database) {}

  @OperationHandler(startCheck)
  check({ body }: Input<typeof startCheck>, context: Context): Promise<Described> {
    return this.start({ kind: 'check', services: body.services }, context);
  }

  @OperationHandler(startReindex)
  reindex({ body }: Input<typeof startReindex>, context: Context): Promise<Described> {
    return this.start({ kind: 'reindex', ...body }, context);
  }

  @OperationHandler(listAdminTasks)
  async list({ query }: Input<typeof listAdminTasks>): Promise<Result<typeof listAdminTasks>> {
    const { adminTask } = this.database.client;
    const where = { ...(query.kind !== undefined && { kind: query.kind }) };
    const [rows, count] = await Promise.all([
      adminTask.findMany({ where, include: { parts: true }, ...pageArgs(query, { created_date: 'createdAt' }) }),
      adminTask.count({ where }),
    ]);
    return { results: rows.map(toAdminTask), count };
  }

  @OperationHandler(getAdminTask)
  async get({ params }: Input<typeof getAdminTask>): Promise<Described> {
    return toAdminTask(await findTask(this.database.client, params.id));
  }

  @OperationHandler(cancelAdminTask)
  cancel({ params }: Input<typeof cancelAdminTask>, context: Context): Promise<Described> {
    return this.database.transaction(async (tx) => {
      const { id, kind, finishedAt } = await findTask(tx, params.id);
      if (!finishedAt) {
        const now = new Date();
        await tx.adminTask.update({ where: { id }, data: { cancelledAt: now, finishedAt: now } });
        await tx.adminTaskPart.updateMany({ where: { taskId: id, state: 'waiting' }, data: { state: 'cancelled' } });
        const target = { type: 'task', id, name: kind } as const;
        await writeAdminAudit(tx, { action: 'task.cancelled', target }, context);
      }
      return toAdminTask(await findTask(tx, id));
    });
  }

  private start({ kind, services: requested, indexes }: NewTask, context: Context): Promise<Described> {
    const services = [...new Set(requested)];
    return this.database.transaction(async (tx) => {
      await requireNoOther(tx, kind);
      const id = newId();
      const parts = { create: services.map((service) => ({ service })) };
      const row = await tx.adminTask.create({ data: { id, kind, parts }, include: { parts: true } });
      const work = { task: id, kind, indexes: indexes ?? null };
      if (services.includes('auth')) tx.enqueue(workOnTask.auth, work);
      if (services.some((service) => service !== 'auth')) tx.emit(adminTaskStarted, { ...work, services });
      const target = { type: 'task', id, name: kind } as const;
      const details = { services, ...(indexes && { indexes: indexes.length }) };
      await writeAdminAudit(tx, { action: `${kind}.started`, target, details }, context);
      return toAdminTask(row);
    });
  }
}

/** Two reindexes of one index would wait for each other, and two checks would only load the database twice. */
async function requireNoOther(tx: Transaction, kind: NewTask['kind']): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`admin task ${kind}`}, 0))`;
  const createdAt = { gt: new Date(Date.now() - MAX_TASK_MS) };
  const other = await tx.adminTask.findFirst({ where: { kind, finishedAt: null, createdAt } });
  if (!other) return;
  throw new ValidationError(
    { task: other.id },
    `Task ${other.id} of the same kind has not ended. Wait for its end, or cancel it.`,
  );
}

async function findTask(client: Pick<Transaction, 'adminTask'>, id: string): Promise<TaskRow> {
  const row = isId(id) ? await client.adminTask.findUnique({ where: { id }, include: { parts: true } }) : null;
  if (!row) throw new ApiError('not_found', `Task ${id} does not exist.`);
  return row;
}
