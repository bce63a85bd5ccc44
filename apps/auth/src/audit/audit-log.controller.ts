import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { listAuditLog, type auditEntry } from '@millrace/contracts/auth/audit-log';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { AuditEntry } from '@millrace/persistence/generated/client';
import { pageArgs } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { auditFilters, describeAuditEntry } from './audit-entries.js';

type Entry = z.input<typeof auditEntry>;

@Controller()
export class AuditLogController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAuditLog)
  async list({ query }: Input<typeof listAuditLog>, { caller }: Context): Promise<Result<typeof listAuditLog>> {
    const where = { AND: [inVault(caller), ...auditFilters(query)] };
    const { auditEntry } = this.database.client;
    const [rows, count] = await Promise.all([
      auditEntry.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      auditEntry.count({ where }),
    ]);
    return { results: rows.map(toEntry), count };
  }
}

const toEntry = (row: AuditEntry): Entry => ({
  ...describeAuditEntry(row),
  action: row.action as Entry['action'],
  details: row.details as Entry['details'],
});
