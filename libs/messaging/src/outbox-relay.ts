import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { eventSubjectOf } from '@millrace/contracts/kit/event';
import { events, jobs } from '@millrace/contracts/registry';
import { Database } from '@millrace/persistence/database';
import type { OutboxEntry } from '@millrace/persistence/outbox';
import { Broker } from './broker.js';
import { EventStreams } from './event-streams.js';
import { JobQueues, type QueuedJob } from './job-queues.js';

const SWEEP_MS = 2_000;
/** Older than any relaying under way, so that the sweep takes only what was left behind. */
const LEFT_BEHIND_MS = 5_000;
const BATCH = 500;
const KEEP = "interval '24 hours'";

const eventByName = new Map(events.map((event) => [event.name, event]));
const jobByName = new Map(jobs.map((job) => [job.name, job]));

/**
 * Passes on what transactions said: events to JetStream under the outbox id as message id, jobs to BullMQ under a stable
 * id. Fed directly after each commit; a sweep picks up what a crash left behind. Passing something on twice is harmless.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly waiting: OutboxEntry[] = [];
  private readonly inHand = new Set<string>();
  private draining: Promise<void> | null = null;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly streams: EventStreams,
    private readonly queues: JobQueues,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.database.onCommit((entries) => this.push(entries));
    this.broker.onReconnect(() => void this.tellAgainIfLost());
    await this.tellAgainIfLost();
    await this.sweep(0);
    this.timer = setInterval(() => void this.sweep(LEFT_BEHIND_MS), SWEEP_MS);
  }

  private push(entries: OutboxEntry[]): void {
    for (const entry of entries) {
      if (this.inHand.has(entry.id)) continue;
      this.inHand.add(entry.id);
      this.waiting.push(entry);
    }
    this.draining ??= this.drain().finally(() => (this.draining = null));
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      try {
        await Promise.all([this.tellEvents(batch), this.addJobs(batch)]);
        await this.settle(batch.map(({ id }) => id));
      } catch (error) {
        this.logger.warn(`Relaying waits: ${(error as Error).message}`);
      } finally {
        for (const { id } of batch) this.inHand.delete(id);
      }
    }
  }

  private async tellEvents(batch: OutboxEntry[]): Promise<void> {
    const told = batch.filter(({ kind }) => kind === 'event');
    if (told.length === 0) return;
    const streams = this.broker.streams;
    await Promise.all(
      told.map(async ({ id, name, payload }) => {
        const event = eventByName.get(name);
        if (!event) throw new Error(`Event ${name} is not in the registry`);
        await streams.publish(eventSubjectOf(event), JSON.stringify({ id, payload }), { msgID: id });
      }),
    ).catch(async (error: unknown) => {
      // The stream may be gone with the broker's disk: it is made anew, and the sweep tells what is left.
      await this.tellAgainIfLost();
      throw error;
    });
  }

  private async addJobs(batch: OutboxEntry[]): Promise<void> {
    const added: QueuedJob[] = batch
      .filter(({ kind }) => kind === 'job')
      .map(({ id, name, payload, options }) => {
        const job = jobByName.get(name);
        if (!job) throw new Error(`Job ${name} is not in the registry`);
        return { job, id: options.id ?? id, payload, options };
      });
    if (added.length > 0) await this.queues.add(added);
  }

  /** Jobs are the queue's now; events are kept for a day, in case the broker loses them. */
  private async settle(ids: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      WITH done AS (DELETE FROM messaging.outbox WHERE id = ANY(${ids}::uuid[]) AND kind = 'job')
      UPDATE messaging.outbox SET relayed_at = now() WHERE id = ANY(${ids}::uuid[]) AND kind = 'event'`;
  }

  private async sweep(olderThanMs: number): Promise<void> {
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

  /** Tells the events of the last day again where the broker's stream is another than the one that had them. */
  private async tellAgainIfLost(): Promise<void> {
    try {
      const { service, client } = this.database;
      const incarnation = await this.streams.ensureStream(service);
      const known = await client.relayedStream.findUnique({ where: { stream: service } });
      if (known?.incarnation === incarnation) return;
      await client.$transaction([
        client.outbox.updateMany({ where: { service, kind: 'event' }, data: { relayedAt: null } }),
        client.relayedStream.upsert({
          where: { stream: service },
          create: { stream: service, incarnation },
          update: { incarnation, seenAt: new Date() },
        }),
      ]);
      if (known) this.logger.warn('The broker lost its events; those of the last day are told again');
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
    await client.$executeRawUnsafe(`DELETE FROM messaging.idempotent_request WHERE created_at < now() - ${KEEP}`);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.draining;
  }
}
