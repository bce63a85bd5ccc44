import { Injectable } from '@nestjs/common';
import { joinedWorkerRevoked } from '@millrace/contracts/auth/admin/joined-workers';
import type { Payload } from '@millrace/contracts/kit/event';
import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { WorkerRegistry } from './worker-registry.js';

/** Handles the revocation of joined workers: each of them counts as lost at once, so its work is dispatched again. */
@Injectable()
export class WorkerRevokedListener {
  constructor(private readonly workers: WorkerRegistry) {}

  @EventHandler(joinedWorkerRevoked)
  async handle(revoked: Payload<typeof joinedWorkerRevoked>[], tx: Transaction): Promise<void> {
    const patterns = [...new Set(revoked.map(({ worker }) => `${worker}-%`))].sort();
    // The rows stay while messages need the names of their machines; the reconciler then deletes them.
    await tx.$executeRaw`
      UPDATE runs.worker SET state = 'stopped', last_seen = least(last_seen, now() - ${2 * WORKER_LEASE_MS}::int * interval '1 ms')
      WHERE id LIKE ANY(${patterns}::text[])`;
    this.workers.forgetFleets();
  }
}
