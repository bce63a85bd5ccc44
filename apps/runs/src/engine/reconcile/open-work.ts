import { Injectable } from '@nestjs/common';
import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import { SANDBOX_LEASE_MS } from '@millrace/contracts/runs/sandbox-hosts';
import { Database } from '@millrace/persistence/database';

/** How long an answer is used, so how much later work is found that another process has left. */
const MAX_AGE_MS = 1_900;

/** Whether there is anything that the loops of this service look for. */
export interface OpenWorkKinds {
  /** Runs that have not ended, or dispatches. */
  runs: boolean;
  /** Workers that have stopped, or send no heartbeats. */
  lostWorkers: boolean;
  /** Deleted runs whose rows are still there. */
  deletions: boolean;
  /** Sandbox sessions that have not ended, or hosts of sandboxes that send no heartbeats. */
  sandboxes: boolean;
}

/**
 * Asks in one statement what the loops of this service would ask in twenty, so that an idle system hardly works. All conditions
 * have a partial index.
 */
@Injectable()
export class OpenWork {
  private readAt = -Infinity;
  private kinds: Promise<OpenWorkKinds> | null = null;

  constructor(private readonly database: Database) {}

  /** May be two seconds old. */
  look(): Promise<OpenWorkKinds> {
    if (this.kinds && performance.now() - this.readAt < MAX_AGE_MS) return this.kinds;
    const kinds = this.read();
    kinds.catch(() => (this.kinds = null));
    this.kinds = kinds;
    this.readAt = performance.now();
    return kinds;
  }

  /** Makes the next call of `look` ask again, because this process has just changed something. */
  forget(): void {
    this.kinds = null;
  }

  private async read(): Promise<OpenWorkKinds> {
    const [kinds] = await this.database.client.$queryRaw<OpenWorkKinds[]>`
      SELECT
        EXISTS (SELECT 1 FROM runs.run WHERE finished_at IS NULL) OR EXISTS (SELECT 1 FROM runs.dispatch) AS runs,
        EXISTS (SELECT 1 FROM runs.worker
          WHERE state = 'stopped' OR last_seen < now() - ${WORKER_LEASE_MS}::int * interval '1 ms') AS "lostWorkers",
        EXISTS (SELECT 1 FROM runs.run WHERE deleted_at IS NOT NULL) AS deletions,
        EXISTS (SELECT 1 FROM runs.sandbox_session WHERE status IN ('starting', 'running'))
          OR EXISTS (SELECT 1 FROM runs.sandbox_host
            WHERE seen_at < now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms') AS sandboxes`;
    return kinds ?? { runs: true, lostWorkers: true, deletions: true, sandboxes: true };
  }
}
