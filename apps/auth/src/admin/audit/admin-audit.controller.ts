import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { listAdminAudit, type adminAuditEntry } from '@millrace/contracts/auth/admin/admin-audit';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { AdminAuditEntry } from '@millrace/persistence/generated/client';
import { pageArgs } from '@millrace/persistence/list';
import { auditFilters, describeAuditEntry } from '../../audit/audit-entries.js';

type Entry = z.input<typeof adminAuditEntry>;

@Controller()
export class AdminAuditController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAdminAudit)
  async list({ query }: Input<typeof listAdminAudit>): Promise<Result<typeof listAdminAudit>> {
    const where = { AND: auditFilters(query) };
    const { adminAuditEntry: table } = this.database.client;
    const [rows, count] = await Promise.all([
      table.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      table.count({ where }),
    ]);
    return { results: rows.map(toEntry), count };
  }
}

const toEntry = (row: AdminAuditEntry): Entry => ({
  ...describeAuditEntry(row),
  action: row.action as Entry['action'],
  credential: row.credential as Entry['credential'],
  details: row.details as Entry['details'],
});
