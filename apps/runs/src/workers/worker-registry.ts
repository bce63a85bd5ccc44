import { Injectable } from '@nestjs/common';
import { WORKER_LEASE_MS, type Heartbeat } from '@millrace/contracts/runs/report';
import { Database } from '@millrace/persistence/database';

/** A dispatch claimed more recently may be missing from a heartbeat, because the worker sent the heartbeat just before. */
const CLAIM_GRACE_PERIOD_MS = 5_000;

/** The number of slots is read from the database again after this time. */
const SLOTS_CACHE_MS = 500;

/** The connected workers, known from their heartbeats, and the dispatches that were lost with a worker. */
@Injectable()
export class WorkerRegistry {
  private slots = 0;
  private slotsReadAt = 0;

  constructor(private readonly database: Database) {}

  /**
   * @returns `lost`: dispatches that the worker should have and does not list, and all dispatches of the worker that it replaces;
   *   `unwanted`: dispatches that it lists although they were cancelled or deleted
   */
  async recordHeartbeat(heartbeat: Heartbeat): Promise<{ lost: LostDispatch[]; unwanted: string[] }> {
    const { client } = this.database;
    await client.$executeRaw`
      INSERT INTO runs.worker (id, host, slots, last_seen) VALUES (${heartbeat.worker}, ${heartbeat.host}, ${heartbeat.slots}, now())
      ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, last_seen = now()`;
    const listed = heartbeat.dispatches.filter((id) => /^\d+$/.test(id));
    const lost = await client.$queryRaw<LostDispatch[]>`
      SELECT d.id AS dispatch, d.worker, w.host, w.last_seen AS "lastSeen",
        CASE WHEN d.worker = ${heartbeat.worker} THEN 'missing' ELSE 'replaced' END AS cause
      FROM runs.dispatch d LEFT JOIN runs.worker w ON w.id = d.worker
      WHERE (d.worker = ${heartbeat.replaces} AND ${heartbeat.replaces}::text IS NOT NULL)
        OR (d.worker = ${heartbeat.worker} AND d.claimed_at < now() - ${CLAIM_GRACE_PERIOD_MS}::int * interval '1 ms'
          AND NOT d.id = ANY(${listed}::bigint[]))`;
    if (heartbeat.replaces !== null) await client.worker.deleteMany({ where: { id: heartbeat.replaces } });
    const unwanted = await client.$queryRaw<{ id: bigint }[]>`
      SELECT h.id FROM unnest(${listed}::bigint[]) AS h(id) LEFT JOIN runs.dispatch d ON d.id = h.id
      WHERE d.id IS NULL OR d.cancelled`;
    return { lost, unwanted: unwanted.map(({ id }) => String(id)) };
  }

  /** @returns dispatches of workers whose last heartbeat is older than the lease */
  async findLostDispatches(): Promise<LostDispatch[]> {
    const { client } = this.database;
    const lost = await client.$queryRaw<LostDispatch[]>`
      SELECT d.id AS dispatch, d.worker, w.host, w.last_seen AS "lastSeen", 'silent' AS cause
      FROM runs.dispatch d LEFT JOIN runs.worker w ON w.id = d.worker
      WHERE d.worker IS NOT NULL AND d.claimed_at < now() - ${CLAIM_GRACE_PERIOD_MS}::int * interval '1 ms'
        AND (w.id IS NULL OR w.last_seen < now() - ${WORKER_LEASE_MS}::int * interval '1 ms')`;
    // The row of a silent worker stays while messages need its host and the time of its last heartbeat.
    await client.$executeRaw`
      DELETE FROM runs.worker w WHERE last_seen < now() - ${WORKER_LEASE_MS}::int * interval '1 ms'
        AND NOT EXISTS (SELECT 1 FROM runs.dispatch d
          WHERE d.worker = w.id AND NOT d.id = ANY(${lost.map(({ dispatch }) => String(dispatch))}::bigint[]))`;
    return lost;
  }

  /** Number of dispatches that all workers can run at once. */
  async countSlots(): Promise<number> {
    if (Date.now() - this.slotsReadAt > SLOTS_CACHE_MS) {
      const [row] = await this.database.client.$queryRaw<{ slots: number }[]>`
        SELECT coalesce(sum(slots), 0)::int AS slots FROM runs.worker
        WHERE last_seen >= now() - ${WORKER_LEASE_MS}::int * interval '1 ms'`;
      this.slots = row?.slots ?? 0;
      this.slotsReadAt = Date.now();
    }
    return this.slots;
  }
}

/** A dispatch on which its worker will no longer report. */
export interface LostDispatch {
  dispatch: bigint;
  worker: string | null;
  /** Name of the worker's machine; null if it is no longer known. */
  host: string | null;
  /** Time of the worker's last heartbeat; null if it is no longer known. */
  lastSeen: Date | null;
  /** The worker sends no heartbeats, another one has taken its place, or its heartbeats do not list the dispatch. */
  cause: 'silent' | 'replaced' | 'missing';
}

/** What happened, as the first part of a sentence for users. */
export function describeLoss({ worker, host, lastSeen, cause }: LostDispatch): string {
  const names = [worker, host === null ? null : `host ${host}`].filter((part) => part !== null).join(', ');
  const subject = `The worker that ran this step${names === '' ? '' : ` (${names})`}`;
  if (cause === 'replaced') return `${subject} ended without notice and was started again`;
  if (cause === 'missing') return `${subject} no longer has it`;
  return `${subject} stopped sending heartbeats${lastSeen === null ? '' : ` at ${lastSeen.toISOString()}`}`;
}
