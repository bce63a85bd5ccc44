import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { eventSubjectOf } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import { events, jobs } from '@millrace/contracts/registry';
import { Database } from '@millrace/persistence/database';
import type { OutboxEntry } from '@millrace/persistence/outbox';
import { Broker } from '../broker/broker.js';
import { JobQueues, type QueuedJob } from '../jobs/job-queues.js';
import { Batcher } from './batcher.js';
import { EventStreams } from './event-streams.js';

const SWEEP_MS = 2_000;
/** Older than any relaying under way, so that the sweep takes only what was left behind. */
const LEFT_BEHIND_MS = 5_000;
const BATCH = 500;
/** As long as the broker keeps events; what has been told longer ago needs no telling again. */
const KEEP = "interval '7 days'";

const eventByName = new Map(events.map((event) => [event.name, event]));
const jobByName = new Map(jobs.map((job) => [job.name, job]));

/**
 * Passes on what transactions said: events to JetStream under the outbox id as message id, jobs to BullMQ under a stable
 * id. Fed directly after each commit; a sweep picks up what a crash left behind. Passing something on twice is harmless.
 * Events and jobs go separate ways, so that one server's absence does not hold up the other's.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly inHand = new Set<string>();
  private readonly lanes = {
    event: new Batcher<OutboxEntry>((batch) => this.passOn(batch, (entries) => this.tellEvents(entries)), {
      most: BATCH,
    }),
    job: new Batcher<OutboxEntry>((batch) => this.passOn(batch, (entries) => this.addJobs(entries)), { most: BATCH }),
  };
  /** Noting what is passed on can wait a little: until then it could at worst be passed on twice. */
  private readonly passed = new Batcher<string>((ids) => this.settle(ids), { most: BATCH, paceMs: 100 });
  private timer?: NodeJS.Timeout;
  private sweeping: Promise<void> | null = null;
  private incarnation?: string;

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly streams: EventStreams,
    private readonly queues: JobQueues,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.database.onCommit((entries) => this.push(entries));
    this.broker.onReconnect(() => void this.tellAgainIfLost());
    await this.sweep(0);
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep(LEFT_BEHIND_MS).finally(() => (this.sweeping = null));
    }, SWEEP_MS);
  }

  private push(entries: OutboxEntry[]): void {
    for (const entry of entries) {
      if (this.inHand.has(entry.id)) continue;
      this.inHand.add(entry.id);
      this.lanes[entry.kind].push(entry);
    }
  }

  /** What cannot be passed on now stays in the outbox, for the sweep to try again. */
  private async passOn(batch: OutboxEntry[], send: (batch: OutboxEntry[]) => Promise<string[]>): Promise<void> {
    const gone = await send(batch).catch((error: unknown) => {
      this.logger.warn(`Relaying waits: ${(error as Error).message}`);
      return [];
    });
    const isGone = new Set<string>(gone);
    for (const { id } of batch) if (!isGone.has(id)) this.inHand.delete(id);
    for (const id of gone) this.passed.push(id);
  }

  /** @returns ids of those that the broker has; one that it refuses does not hold up the others */
  private async tellEvents(batch: OutboxEntry[]): Promise<string[]> {
    const streams = this.broker.streams;
    const outcomes = await Promise.allSettled(
      batch.map(async ({ id, name, payload }) => {
        const event = eventByName.get(name);
        if (!event) throw new Error(`event ${name} is not in the registry`);
        await streams.publish(eventSubjectOf(event), JSON.stringify({ id, payload }), { msgID: id });
        return id;
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) {
      this.logger.warn(`Telling events waits: ${(failed.reason as Error).message}`);
      await this.tellAgainIfLost();
    }
    return outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  }

  /** @returns ids of those that are queued */
  private async addJobs(batch: OutboxEntry[]): Promise<string[]> {
    const known = batch.filter(({ name }) => jobByName.has(name));
    if (known.length < batch.length) this.logger.warn('A job that is not in the registry stays in the outbox');
    await this.queues.add(
      known.map(({ id, name, payload, options }): QueuedJob => {
        return { job: jobByName.get(name) as JobType, entry: id, payload, options };
      }),
    );
    return known.map(({ id }) => id);
  }

  /** Jobs are the queue's now; events are kept for a week, in case the broker loses them. */
  private async settle(ids: string[]): Promise<void> {
    try {
      await this.database.client.$executeRaw`
        WITH done AS (DELETE FROM messaging.outbox WHERE id = ANY(${ids}::uuid[]) AND kind = 'job')
        UPDATE messaging.outbox SET relayed_at = now() WHERE id = ANY(${ids}::uuid[]) AND kind = 'event'`;
    } catch (error) {
      this.logger.warn(`Noting what is relayed waits: ${(error as Error).message}`);
    } finally {
      for (const id of ids) this.inHand.delete(id);
    }
  }

  private async sweep(olderThanMs: number): Promise<void> {
    // Not at reconnection alone: the broker may not have its streams ready by then.
    await this.tellAgainIfLost();
    try {
      const left = await this.database.client.$queryRaw<OutboxEntry[]>`
        SELECT id::text, kind, name, payload, options FROM messaging.outbox
        WHERE service = ${this.database.service} AND relayed_at IS NULL
          AND created_at <= now() - ${olderThanMs}::int * interval '1 ms'
        ORDER BY created_at LIMIT ${BATCH}`;
      if (left.length > 0) this.push(left);
      await this.forget();
    } catch (error) {
      this.logger.warn(`Sweeping the outbox waits: ${(error as Error).message}`);
    }
  }

  /** Tells the events of the last week again where the broker's stream is another than the one that had them. */
  private async tellAgainIfLost(): Promise<void> {
    if (!this.broker.isConnected) return;
    try {
      const { service, client } = this.database;
      const incarnation = await this.streams.ensureStream(service);
      if (incarnation === this.incarnation) return;
      const known = await client.relayedStream.findUnique({ where: { stream: service } });
      if (known?.incarnation !== incarnation) {
        await client.$transaction([
          client.outbox.updateMany({ where: { service, kind: 'event' }, data: { relayedAt: null } }),
          client.relayedStream.upsert({
            where: { stream: service },
            create: { stream: service, incarnation },
            update: { incarnation, seenAt: new Date() },
          }),
        ]);
      }
      this.incarnation = incarnation;
      if (known && known.incarnation !== incarnation)
        this.logger.warn('The broker lost its events; those of the last week are told again');
    } catch (error) {
      this.logger.warn(`The event stream could not be checked: ${(error as Error).message}`);
    }
  }

  private lastForget = 0;

  /** Once an hour, what is older than a day: an event is heard by then, and its inbox entries need not outlive it by much. */
  private async forget(): Promise<void> {
    if (Date.now() - this.lastForget < 3_600_000) return;
    this.lastForget = Date.now();
    const { client, service } = this.database;
    await client.$executeRawUnsafe(
      `DELETE FROM messaging.outbox WHERE service = $1 AND relayed_at < now() - ${KEEP} AND created_at < now() - ${KEEP}`,
      service,
    );
    await client.$executeRawUnsafe(
      `DELETE FROM messaging.inbox WHERE starts_with(consumer, $1) AND created_at < now() - 3 * ${KEEP}`,
      `${service}_`,
    );
    await client.$executeRawUnsafe(
      `DELETE FROM messaging.idempotent_request WHERE created_at < now() - interval '24 hours'`,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
    await Promise.all([this.lanes.event.settled(), this.lanes.job.settled()]);
    await this.passed.settled();
  }
}
