import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { listAdminAudit, type adminAuditEntry } from '@millrace/contracts/auth/admin/admin-audit';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { AdminAuditEntry } from '@millrace/persistence/generated/client';
import { pageArgs, searchFilter } from '@millrace/persistence/list';

type Entry = z.input<typeof adminAuditEntry>;

@Controller()
export class AdminAuditController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listAdminAudit)
  async list({ query }: Input<typeof listAdminAudit>): Promise<Result<typeof listAdminAudit>> {
    const { action, actor, from, to } = query;
    const where = {
      AND: [
        searchFilter(query.search, ['action', 'actorEmail', 'targetName']),
        { ...(action && { action }), ...(actor && { actorId: actor }) },
        { createdAt: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } },
      ],
    };
    const { adminAuditEntry: table } = this.database.client;
    const [rows, count] = await Promise.all([
      table.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      table.count({ where }),
    ]);
    return { results: rows.map(toEntry), count };
  }
}

const toEntry = (row: AdminAuditEntry): Entry => ({
  id: row.id,
  action: row.action as Entry['action'],
  ...(row.actorId !== null && { actor: { id: row.actorId, email: row.actorEmail ?? '' } }),
  credential: row.credential as Entry['credential'],
  ...(row.targetType !== null && { target_type: row.targetType }),
  ...(row.targetId !== null && { target_id: row.targetId }),
  ...(row.targetName !== null && { target_name: row.targetName }),
  details: row.details as Entry['details'],
  ...(row.address !== null && { address: row.address }),
  ...(row.agent !== null && { agent: row.agent }),
  created_date: row.createdAt.toISOString(),
});
