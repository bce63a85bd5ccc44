import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import { SANDBOX_LEASE_MS } from '@millrace/contracts/runs/sandbox-hosts';
import { Database } from '@millrace/persistence/database';

/** The workers that can run sandboxes, known from their heartbeats. */
@Injectable()
export class SandboxHosts {
  constructor(private readonly database: Database) {}

  async recordHeartbeat(worker: string, slots: number): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO runs.sandbox_host (worker, slots, seen_at) VALUES (${worker}, ${slots}, now())
      ON CONFLICT (worker) DO UPDATE SET slots = excluded.slots, seen_at = now()`;
  }

  async deleteExpired(): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM runs.sandbox_host WHERE seen_at < now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms'`;
  }

  /** @throws ForbiddenError if workers are connected, but none can run sandboxes */
  async requireSandboxWorker(): Promise<void> {
    const { _max, _count } = await this.database.client.sandboxHost.aggregate({ _max: { slots: true }, _count: true });
    if (_count > 0 && _max.slots === 0) {
      throw new ForbiddenError(
        'No connected worker can isolate sandboxes. The log of each worker lists the missing requirements of bubblewrap.',
      );
    }
  }

  /**
   * @param current the worker that has the session, which is preferred
   * @param excluded workers that must not be chosen
   * @returns otherwise the least loaded worker; null if there is none
   */
  async chooseWorker(current: string | null, excluded: readonly string[] = []): Promise<string | null> {
    const [best] = await this.database.client.$queryRaw<{ worker: string }[]>`
      SELECT h.worker FROM runs.sandbox_host h
      LEFT JOIN runs.sandbox_session s ON s.worker = h.worker AND s.status IN ('starting', 'running')
      WHERE h.slots > 0 AND h.seen_at > now() - ${SANDBOX_LEASE_MS}::int * interval '1 ms'
        AND NOT h.worker = ANY(${excluded}::text[])
        AND NOT EXISTS (SELECT 1 FROM runs.worker w WHERE w.id = h.worker AND (w.state <> 'active' OR w.desired <> 'active'))
      GROUP BY h.worker
      ORDER BY h.worker IS NOT DISTINCT FROM ${current} DESC, count(s.id)::float / h.slots, h.worker
      LIMIT 1`;
    return best?.worker ?? null;
  }
}
