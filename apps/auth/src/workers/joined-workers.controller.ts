import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import {
  type joinedWorker,
  joinedWorkerDisconnected,
  joinedWorkerRevoked,
  listJoinedWorkers,
  revokeJoinedWorker,
} from '@millrace/contracts/auth/admin/joined-workers';
import { joinedWorkerOf } from '@millrace/contracts/auth/join';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Broker } from '@millrace/messaging/broker/broker';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import type { JoinedWorker } from '@millrace/persistence/generated/client';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { writeAdminAudit } from '../admin/audit/write-admin-audit.js';
import { readPlacement } from './choose-grant.js';
import { RedisUsers } from './redis-users.js';

/** The workers that have credentials of their own. */
@Controller()
export class JoinedWorkersController {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly redisUsers: RedisUsers,
  ) {}

  @OperationHandler(listJoinedWorkers)
  async list({ query }: Input<typeof listJoinedWorkers>): Promise<Result<typeof listJoinedWorkers>> {
    const where = {
      ...searchFilter(query.search, ['name', 'id', 'fleet']),
      ...(query.fleet !== undefined && { fleet: query.fleet }),
    };
    const { joinedWorker: table } = this.database.client;
    const [rows, count] = await Promise.all([
      table.findMany({ where, ...pageArgs(query, { joined_date: 'joinedAt' }) }),
      table.count({ where }),
    ]);
    return { results: rows.map(toWorker), count };
  }

  @OperationHandler(revokeJoinedWorker)
  async revoke(
    { params }: Input<typeof revokeJoinedWorker>,
    context: Context,
  ): Promise<Result<typeof revokeJoinedWorker>> {
    const id = joinedWorkerOf(params.id);
    await this.database.transaction(async (tx) => {
      const found = id === null ? null : await tx.joinedWorker.findUnique({ where: { id } });
      if (!found) throw new NotFoundError(`Joined worker ${params.id}`);
      await tx.joinedWorker.deleteMany({ where: { id: found.id } });
      const target = { type: 'worker', id: found.id, name: found.name } as const;
      await writeAdminAudit(tx, { action: 'worker.revoked', target, details: { fleet: found.fleet } }, context);
      tx.emit(joinedWorkerRevoked, { worker: found.id });
    });
    if (id !== null) {
      this.broker.publish(joinedWorkerDisconnected, { worker: id });
      await this.redisUsers.remove(id);
    }
    return { success: true };
  }
}

const toWorker = (row: JoinedWorker): z.input<typeof joinedWorker> => ({
  ...{ id: row.id, name: row.name },
  ...readPlacement(row),
  token_name: row.tokenName,
  ...(row.address !== null && { address: row.address }),
  joined_date: row.joinedAt.toISOString(),
  ...(row.lastConnectedAt && { last_connected_date: row.lastConnectedAt.toISOString() }),
});
