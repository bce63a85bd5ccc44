import { Injectable } from '@nestjs/common';
import { readRequirement } from '@millrace/graph/plan/placement';
import { Database } from '@millrace/persistence/database';
import { findFleets, type KnownFleet } from './fleet-routes.js';
import { WorkerRegistry } from './worker-registry.js';

/** Tasks that are counted: an autoscaler needs no more, and counting a million takes too long. */
const MAX_COUNTED = 10_000;

/** What waits for a fleet. */
export interface Backlog {
  /** Subjobs that are ready and that no worker has begun. */
  waiting: number;
  /** How long the oldest has waited. For a fleet without workers, this is the age of the oldest run that waits for it. */
  oldestSeconds: number;
}

interface Waiting {
  key: string | null;
  count: number;
  /** Age of the oldest run that has such tasks. */
  runSeconds: number;
}

interface Queued extends Backlog {
  fleet: string;
}

/** Counts what waits for each fleet, for autoscalers and administrators. */
@Injectable()
export class FleetBacklog {
  constructor(
    private readonly database: Database,
    private readonly workers: WorkerRegistry,
  ) {}

  /** By the name of the fleet. Contains every known fleet. */
  async read(): Promise<Map<string, Backlog>> {
    const [{ fleets }, ready, queued] = await Promise.all([
      this.workers.readFleets(),
      this.countReady(),
      this.countQueued(),
    ]);
    const backlogs = new Map(fleets.map(({ name }) => [name, { waiting: 0, oldestSeconds: 0 }]));
    for (const { fleet, waiting, oldestSeconds } of queued) add(backlogs, fleet, { waiting, oldestSeconds });
    for (const { key, count, runSeconds } of ready) {
      const fleet = chooseFleet(findFleets(fleets, readRequirement(key)));
      // A fleet with workers keeps a dispatch waiting behind each slot, so the oldest of these tells how long work waits.
      if (fleet) add(backlogs, fleet.name, { waiting: count, oldestSeconds: fleet.slots > 0 ? 0 : runSeconds });
    }
    return backlogs;
  }

  /** Tasks that are ready, and not yet in a queue. */
  private countReady(): Promise<Waiting[]> {
    return this.database.client.$queryRaw<Waiting[]>`
      SELECT q.key, count(*)::int AS count, extract(epoch FROM now() - min(t.created_at))::float AS "runSeconds"
      FROM (SELECT t.run_id, t.segment, r.created_at FROM runs.run r JOIN runs.task t ON t.run_id = r.id AND t.state = 'READY'
        WHERE r.finished_at IS NULL AND r.paused_at IS NULL AND r.status <> 'STOPPING'
          AND (t.not_before IS NULL OR t.not_before <= now()) LIMIT ${MAX_COUNTED}::int) t
      LEFT JOIN runs.requirement q ON q.run_id = t.run_id AND q.segment = t.segment
      GROUP BY q.key`;
  }

  /** Tasks of dispatches that no worker has begun. */
  private countQueued(): Promise<Queued[]> {
    return this.database.client.$queryRaw<Queued[]>`
      SELECT d.fleet, count(t.*)::int AS waiting, extract(epoch FROM now() - min(d.created_at))::float AS "oldestSeconds"
      FROM runs.dispatch d LEFT JOIN runs.task t ON t.dispatch = d.id WHERE d.worker IS NULL GROUP BY d.fleet`;
  }
}

/** Of fleets that may all run the same, one with workers. */
const chooseFleet = (fleets: readonly KnownFleet[]): KnownFleet | undefined =>
  fleets.find(({ slots }) => slots > 0) ?? fleets[0];

function add(backlogs: Map<string, Backlog>, fleet: string, { waiting, oldestSeconds }: Backlog): void {
  const sum = backlogs.get(fleet) ?? { waiting: 0, oldestSeconds: 0 };
  backlogs.set(fleet, {
    waiting: Math.min(MAX_COUNTED, sum.waiting + waiting),
    oldestSeconds: Math.max(0, sum.oldestSeconds, oldestSeconds),
  });
}
