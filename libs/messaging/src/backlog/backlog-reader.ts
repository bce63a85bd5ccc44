import { Injectable } from '@nestjs/common';
import { consumerOf, eventStreamOf } from '@millrace/contracts/kit/event';
import type { Backlog } from '@millrace/contracts/kit/health';
import { Database } from '@millrace/persistence/database';
import { Broker } from '../broker/broker.js';
import { EventConsumers } from '../events/event-consumers.js';
import { JobQueues } from '../jobs/job-queues.js';
import { loadOwnContracts } from '../wiring/load-own-contracts.js';

/** Counting stops here, because the count is for people and monitoring and must not cost more with a larger outbox. */
const MAX_COUNTED = 100_000;

/** Reads how much work of this service waits: in its outbox, its queues and its event consumers. */
@Injectable()
export class BacklogReader {
  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly queues: JobQueues,
    private readonly consumers: EventConsumers,
  ) {}

  /** @throws if Postgres, Redis or NATS cannot be reached */
  async read(): Promise<Backlog> {
    const [outbox, queues, unhandled] = await Promise.all([this.readOutbox(), this.readQueues(), this.readEvents()]);
    return { outbox, queues, events: unhandled };
  }

  private async readOutbox(): Promise<Backlog['outbox']> {
    const [row] = await this.database.client.$queryRaw<Backlog['outbox'][]>`
      SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
      FROM (SELECT created_at FROM messaging.outbox
        WHERE service = ${this.database.service} AND relayed_at IS NULL ORDER BY created_at LIMIT ${MAX_COUNTED}) waiting`;
    return row ?? { waiting: 0, oldestSeconds: 0 };
  }

  private async readQueues(): Promise<Backlog['queues']> {
    const { jobs } = await loadOwnContracts(this.database.service);
    const names = jobs.filter(({ source }) => source === this.database.service).map(({ queue }) => queue);
    return Object.fromEntries(
      await Promise.all([...new Set(names)].map(async (name) => [name, await this.queues.readBacklog(name)] as const)),
    );
  }

  /** All events that this service has not handled yet, for an autoscaler. */
  async countEvents(): Promise<number> {
    return Object.values(await this.readEvents()).reduce((sum, count) => sum + count, 0);
  }

  /** Events that are stored and not yet acknowledged, those in a running batch included. */
  private async readEvents(): Promise<Backlog['events']> {
    const { service } = this.database;
    const manager = await this.broker.streamManager();
    const counts = this.consumers.events.map(async (event) => {
      const consumer = consumerOf(service, event);
      const info = await manager.consumers.info(eventStreamOf(event.source), consumer);
      return [consumer, info.num_pending + info.num_ack_pending] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  }
}
