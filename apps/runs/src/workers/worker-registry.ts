import { Injectable } from '@nestjs/common';
import { WORKER_LEASE_MS, type Heartbeat, type WorkerState } from '@millrace/contracts/runs/report';
import { Database } from '@millrace/persistence/database';
import { sumSlots, type FleetView } from './fleet-routes.js';
import { readFleets } from './read-fleets.js';
import { rememberFleets } from './remember-fleets.js';
import { upsertWorker } from './upsert-worker.js';

/** A dispatch claimed more recently may be missing from a heartbeat, because the worker sent the heartbeat just before. */
const CLAIM_GRACE_PERIOD_MS = 5_000;

/** The fleets are read from the database again after this time. */
const FLEETS_CACHE_MS = 500;

/** An unchanged fleet is recorded as often as this, to note that it still has workers. */
const REMEMBER_FLEETS_MS = 60_000;

/** How long a worker is listed after its last heartbeat. One that was cordoned may come back, and stays cordoned then. */
const LOST_RETENTION = { minutes: 60, cordonedDays: 30 };

/** The connected workers, known from their heartbeats, and the dispatches that were lost with a worker. */
@Injectable()
export class WorkerRegistry {
  private view: Promise<FleetView> = Promise.resolve({ fleets: [], keys: [] });
  private viewReadAt = -Infinity;
  private remembered = { fleets: '', at: -Infinity };

  constructor(private readonly database: Database) {}

  /**
   * @returns `lost`: dispatches that the worker should have and does not list, and all dispatches of the worker that it replaces;
   *   `unwanted`: dispatches that it lists although they were cancelled or deleted; `order`: what it has to do, if it does
   *   something else
   */
  async recordHeartbeat(
    heartbeat: Heartbeat,
  ): Promise<{ lost: LostDispatch[]; unwanted: string[]; order: WorkerOrder | null }> {
    const { client } = this.database;
    const { desired, hasChanged, hasDispatches } = await upsertWorker(client, heartbeat);
    if (hasChanged) this.forgetFleets();
    const listed = heartbeat.dispatches.filter((id) => /^\d+$/.test(id));
    const isObeyed = heartbeat.state === desired || ['draining', 'stopped'].includes(heartbeat.state);
    const order = isObeyed ? null : desired;
    if (!hasDispatches && listed.length === 0 && heartbeat.replaces === null) return { lost: [], unwanted: [], order };
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
    return { lost, unwanted: unwanted.map(({ id }) => String(id)), order };
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
      DELETE FROM runs.worker w WHERE (state = 'stopped' OR last_seen < now() - CASE WHEN desired = 'active'
          THEN ${LOST_RETENTION.minutes}::int * interval '1 minute' ELSE ${LOST_RETENTION.cordonedDays}::int * interval '1 day' END)
        AND NOT EXISTS (SELECT 1 FROM runs.dispatch d
          WHERE d.worker = w.id AND NOT d.id = ANY(${lost.map(({ dispatch }) => String(dispatch))}::bigint[]))`;
    return lost;
  }

  /** The fleets, and what unfinished runs require of them. May be half a second old. */
  readFleets(): Promise<FleetView> {
    if (Date.now() - this.viewReadAt > FLEETS_CACHE_MS) {
      this.viewReadAt = Date.now();
      this.view = readFleets(this.database);
      this.view.catch(() => this.forgetFleets());
    }
    return this.view;
  }

  /** Reads the fleets again when they are needed next. */
  forgetFleets(): void {
    this.viewReadAt = -Infinity;
  }

  /** Records the fleets that have workers. */
  async rememberFleets(): Promise<void> {
    const live = (await this.readFleets()).fleets.filter(({ isLive }) => isLive);
    const fleets = JSON.stringify(live.map(({ name, labels, sizes }) => [name, labels, sizes]));
    const isDue = performance.now() - this.remembered.at > REMEMBER_FLEETS_MS;
    if (fleets === this.remembered.fleets && !isDue) return;
    await rememberFleets(this.database.client, live);
    this.remembered = { fleets, at: performance.now() };
  }

  /** Number of dispatches that all workers can run at once. */
  async countSlots(): Promise<number> {
    return sumSlots((await this.readFleets()).fleets);
  }
}

/** What an administrator wants a worker to do. */
export type WorkerOrder = Exclude<WorkerState, 'stopped'>;

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
