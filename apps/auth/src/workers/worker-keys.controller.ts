import { timingSafeEqual } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { checkWorkerKey, findRevokedWorkers } from '@millrace/contracts/auth/join';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { hashSecret } from '../secrets/random-token.js';
import { readPlacement } from './choose-grant.js';

/** Checks the keys of joined workers for the gateway. */
@Controller()
export class WorkerKeysController {
  constructor(private readonly database: Database) {}

  @OperationHandler(checkWorkerKey)
  async check({ body }: Input<typeof checkWorkerKey>): Promise<Result<typeof checkWorkerKey>> {
    const { joinedWorker } = this.database.client;
    const row = await joinedWorker.findUnique({ where: { id: body.id } });
    if (!row || !isSame(row.keyHash, hashSecret(body.key))) return { grant: null };
    await joinedWorker.updateMany({ where: { id: row.id }, data: { lastConnectedAt: new Date() } });
    return { grant: { id: row.id, ...readPlacement(row) } };
  }

  @OperationHandler(findRevokedWorkers)
  async findRevoked({ body }: Input<typeof findRevokedWorkers>): Promise<Result<typeof findRevokedWorkers>> {
    const where = { id: { in: body.workers } };
    const existing = await this.database.client.joinedWorker.findMany({ where, select: { id: true } });
    const ids = new Set(existing.map(({ id }) => id));
    return { revoked: body.workers.filter((id) => !ids.has(id)) };
  }
}

/** Compares two hashes in constant time. */
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
