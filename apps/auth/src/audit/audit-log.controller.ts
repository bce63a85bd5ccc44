import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { listAuditLog, type auditEntry } from '@millrace/contracts/auth/audit-log';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { AuditEntry } from '@millrace/persistence/generated/client';
import { searchFilter, pageArgs } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';

type Entry = z.input<typeof auditEntry>;

@Controller()
export class AuditLogController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAuditLog)
  async list({ query }: Input<typeof listAuditLog>, { caller }: Context): Promise<Result<typeof listAuditLog>> {
    const { action, actor, from, to } = query;
    const where = {
      AND: [
        inVault(caller),
        searchFilter(query.search, ['action', 'actorEmail', 'targetName']),
        { ...(action && { action }), ...(actor && { actorId: actor }) },
        { createdAt: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } },
      ],
    };
    const { auditEntry } = this.database.client;
    const [rows, count] = await Promise.all([
      auditEntry.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      auditEntry.count({ where }),
    ]);
    return { results: rows.map(toEntry), count };
  }
}

const toEntry = (row: AuditEntry): Entry => ({
  id: row.id,
  action: row.action as Entry['action'],
  ...(row.actorId !== null && { actor: { id: row.actorId, email: row.actorEmail ?? '' } }),
  ...(row.targetType !== null && { target_type: row.targetType }),
  ...(row.targetId !== null && { target_id: row.targetId }),
  ...(row.targetName !== null && { target_name: row.targetName }),
  details: row.details as Entry['details'],
  ...(row.address !== null && { address: row.address }),
  ...(row.agent !== null && { agent: row.agent }),
  created_date: row.createdAt.toISOString(),
});
