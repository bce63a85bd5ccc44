import { Injectable } from '@nestjs/common';
import type { Heartbeat } from '@millrace/contracts/runs/report';
import { WORKER_LEASE_MS } from '@millrace/contracts/runs/report';
import { Database } from '@millrace/persistence/database';
import type { LostDispatch } from './lost-dispatch.js';

/** A dispatch that a worker began may be missing from heartbeats that were sent just before. */
const SETTLING_MS = 5_000;

/** The fleet is counted again after this time. */
const COUNT_MS = 500;

/** The workers that are there, as their heartbeats tell, and the dispatches that nobody holds any more. */
@Injectable()
export class WorkerRegistry {
  private counted = 0;
  private countedAt = 0;

  constructor(private readonly database: Database) {}

  /** @returns `lost`: dispatches that the worker should hold and does not, and those of the worker that it replaces; `unwanted`: those that it holds though they were stopped, or are nobody's any more */
  async recordHeartbeat(beat: Heartbeat): Promise<{ lost: LostDispatch[]; unwanted: string[] }> {
    const { client } = this.database;
    await client.$executeRaw`
      INSERT INTO runs.worker (id, host, slots, last_seen) VALUES (${beat.worker}, ${beat.host}, ${beat.slots}, now())
      ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, last_seen = now()`;
    const held = beat.dispatches.filter((id) => /^\d+$/.test(id));
    const lost = await client.$queryRaw<LostDispatch[]>`
      SELECT d.id AS dispatch, d.worker, w.host, w.last_seen AS "lastSeen",
        CASE WHEN d.worker = ${beat.worker} THEN 'missing' ELSE 'replaced' END AS cause
      FROM runs.dispatch d LEFT JOIN runs.worker w ON w.id = d.worker
      WHERE (d.worker = ${beat.replaces} AND ${beat.replaces}::text IS NOT NULL)
        OR (d.worker = ${beat.worker} AND d.claimed_at < now() - ${SETTLING_MS}::int * interval '1 ms'
          AND NOT d.id = ANY(${held}::bigint[]))`;
    if (beat.replaces !== null) await client.worker.deleteMany({ where: { id: beat.replaces } });
    const unwanted = await client.$queryRaw<{ id: bigint }[]>`
      SELECT h.id FROM unnest(${held}::bigint[]) AS h(id) LEFT JOIN runs.dispatch d ON d.id = h.id
      WHERE d.id IS NULL OR d.cancelled`;
    return { lost, unwanted: unwanted.map(({ id }) => String(id)) };
  }

  /** @returns dispatches of workers that have not been heard of for longer than their lease */
  async findLostDispatches(): Promise<LostDispatch[]> {
    const { client } = this.database;
    const lost = await client.$queryRaw<LostDispatch[]>`
      SELECT d.id AS dispatch, d.worker, w.host, w.last_seen AS "lastSeen", 'silent' AS cause
      FROM runs.dispatch d LEFT JOIN runs.worker w ON w.id = d.worker
      WHERE d.worker IS NOT NULL AND d.claimed_at < now() - ${SETTLING_MS}::int * interval '1 ms'
        AND (w.id IS NULL OR w.last_seen < now() - ${WORKER_LEASE_MS}::int * interval '1 ms')`;
    // A worker is kept for as long as something can be said of it: which host it was on, and when it was heard of last.
    await client.$executeRaw`
      DELETE FROM runs.worker w WHERE last_seen < now() - ${WORKER_LEASE_MS}::int * interval '1 ms'
        AND NOT EXISTS (SELECT 1 FROM runs.dispatch d
          WHERE d.worker = w.id AND NOT d.id = ANY(${lost.map(({ dispatch }) => String(dispatch))}::bigint[]))`;
    return lost;
  }

  /** How many dispatches all workers together take at once. */
  async countSlots(): Promise<number> {
    if (Date.now() - this.countedAt > COUNT_MS) {
      const [row] = await this.database.client.$queryRaw<{ slots: number }[]>`
        SELECT coalesce(sum(slots), 0)::int AS slots FROM runs.worker
        WHERE last_seen >= now() - ${WORKER_LEASE_MS}::int * interval '1 ms'`;
      this.counted = row?.slots ?? 0;
      this.countedAt = Date.now();
    }
    return this.counted;
  }
}
