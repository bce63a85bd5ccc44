import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import {
  type deadLetter,
  dropDeadLetters,
  listDeadLetters,
  MAX_DEAD_LETTERS,
  retryDeadLetters,
} from '@millrace/contracts/auth/admin/dead-letters';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { DeadLetter, Prisma } from '@millrace/persistence/generated/client';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { redactText } from '@millrace/service/logging/redact';
import { type AdminAct, writeAdminAudit } from '../audit/write-admin-audit.js';
import { toChosen, toWhere } from './choose-dead-letters.js';
import { summarizePayload } from './summarize-payload.js';

/** Long, because 5,000 rows are moved in one transaction. */
const TIMEOUT_MS = 30_000;

/** Events and jobs of all services that failed for good. */
@Controller()
export class DeadLettersController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listDeadLetters)
  async list({ query }: Input<typeof listDeadLetters>): Promise<Result<typeof listDeadLetters>> {
    const { deadLetter: table } = this.database.client;
    const where = { AND: [toWhere(query), searchFilter(query.search, ['name', 'error'])] };
    const [rows, count] = await Promise.all([
      table.findMany({ where, ...pageArgs(query, { failed_date: 'failedAt' }) }),
      table.count({ where }),
    ]);
    return { results: rows.map(toDeadLetter), count };
  }

  /** A job returns to the outbox of its service, which enqueues it. Its service handles an event again (`EventRetries`). */
  @OperationHandler(retryDeadLetters)
  retry({ body }: Input<typeof retryDeadLetters>, context: Context): Promise<Result<typeof retryDeadLetters>> {
    const where = { ...toChosen(body), retryAt: null };
    return this.change(where, { action: 'dead_letters.retried', details: { ...body } }, context, async (tx, ids) => {
      await tx.$executeRaw`
        WITH job AS (
          DELETE FROM messaging.dead_letter WHERE id = ANY(${ids}::uuid[]) AND kind = 'job'
          RETURNING id, service, name, payload, options)
        INSERT INTO messaging.outbox (id, service, kind, name, payload, options, created_at)
        SELECT id, service, 'job', name, payload, coalesce(options, '{}'), now() - interval '1 minute' FROM job`;
      await tx.$executeRaw`
        UPDATE messaging.dead_letter SET retry_at = now() WHERE id = ANY(${ids}::uuid[]) AND kind = 'event'`;
    });
  }

  @OperationHandler(dropDeadLetters)
  drop({ body }: Input<typeof dropDeadLetters>, context: Context): Promise<Result<typeof dropDeadLetters>> {
    const act = { action: 'dead_letters.dropped', details: { ...body } } as const;
    return this.change(toChosen(body), act, context, async (tx, ids) => {
      await tx.deadLetter.deleteMany({ where: { id: { in: ids } } });
    });
  }

  private change(
    where: Prisma.DeadLetterWhereInput,
    act: AdminAct,
    context: Context,
    work: (tx: Transaction, ids: string[]) => Promise<void>,
  ): Promise<Result<typeof dropDeadLetters>> {
    return this.database.transaction(
      async (tx) => {
        const found = await tx.deadLetter.findMany({
          where,
          select: { id: true, name: true },
          orderBy: { id: 'asc' },
          take: MAX_DEAD_LETTERS,
        });
        const ids = found.map(({ id }) => id);
        const matching = await tx.deadLetter.count({ where });
        await work(tx, ids);
        const names = Object.fromEntries(
          [...Map.groupBy(found, ({ name }) => name)].map(([name, group]) => [name, group.length]),
        );
        await writeAdminAudit(tx, { ...act, details: { ...withoutIds(act.details), names } }, context);
        return { changed: ids.length, remaining: Math.max(0, matching - ids.length) };
      },
      { timeoutMs: TIMEOUT_MS },
    );
  }
}

/** Thousands of ids would make the entry of the audit log unreadable. */
const withoutIds = ({ ids: _, ...details }: Prisma.InputJsonObject = {}): Prisma.InputJsonObject => details;

const toDeadLetter = (row: DeadLetter): z.input<typeof deadLetter> => ({
  ...{ id: row.id, kind: row.kind as 'event' | 'job', service: row.service, name: row.name, queue: row.queue },
  ...{ message: row.message, error: redactText(row.error), attempts: row.attempts },
  payload: summarizePayload(row.payload),
  failed_date: row.failedAt.toISOString(),
  retrying: row.retryAt !== null,
});
