import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { eventSubjectOf, type EventType } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';
import { Database } from '@millrace/persistence/database';
import type { OutboxEntry } from '@millrace/persistence/outbox';
import { Broker } from '../broker/broker.js';
import { JobQueues, type QueuedJob } from '../jobs/job-queues.js';
import { loadOwnContracts, type OwnContracts } from '../wiring/load-own-contracts.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { Batcher } from './batcher.js';
import { deleteExpired } from './delete-expired.js';
import { EventStreams } from './event-streams.js';

const SWEEP_INTERVAL_MS = 5_000;
/** Older than any entry that is still being relayed, so the sweep selects only entries that a crash left behind. */
const MIN_ORPHAN_AGE_MS = 5_000;
const MAX_BATCH_SIZE = 500;
/** Well below the age at which the sweep relays an entry again. */
const MARK_DELAY_MS = 250;
/** At least ten cleanups while an event is kept. */
const MAX_CLEANUP_INTERVAL_MS = 3_600_000;

/**
 * Relays the outbox of a service: events to JetStream with the outbox id as message id, jobs to BullMQ under a stable
 * id.
 * Commits feed it directly, and a sweep finds entries that a crash left behind. Relaying an entry twice is harmless.
 * Events and jobs are relayed separately, so an outage of one server does not delay the other.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly inFlight = new Set<string>();
  private readonly eventByName = new Map<string, EventType>();
  private readonly jobByName = new Map<string, JobType>();
  private readonly batchers = {
    event: new Batcher<OutboxEntry>((batch) => this.relay(batch, (entries) => this.publishEvents(entries)), {
      maxItems: MAX_BATCH_SIZE,
    }),
    job: new Batcher<OutboxEntry>((batch) => this.relay(batch, (entries) => this.addJobs(entries)), {
      maxItems: MAX_BATCH_SIZE,
    }),
  };
  /** Recording what was relayed may lag a little: a crash in between only relays entries again. */
  private readonly relayed = new Batcher<string>((ids) => this.markRelayed(ids), {
    maxItems: MAX_BATCH_SIZE,
    delayMs: MARK_DELAY_MS,
  });
  private timer?: NodeJS.Timeout;
  private currentSweep: Promise<void> | null = null;
  private streamCreatedAt?: string;
  private lastCleanupAt = 0;

  constructor(
    private readonly database: Database,
    private readonly broker: Broker,
    private readonly streams: EventStreams,
    private readonly queues: JobQueues,
    @Inject(MESSAGING_OPTIONS) private readonly options: Pick<MessagingOptions, 'deadLetterDays'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.addContracts(await loadOwnContracts(this.database.service));
    this.database.onCommit((entries) => this.push(entries));
    this.broker.onReconnect(() => void this.republishIfLost());
    await this.sweep(0);
    this.timer = setInterval(() => {
      this.currentSweep ??= this.sweep(MIN_ORPHAN_AGE_MS).finally(() => (this.currentSweep = null));
    }, SWEEP_INTERVAL_MS);
  }

  private addContracts({ events, jobs }: OwnContracts): void {
    for (const event of events) this.eventByName.set(event.name, event);
    for (const job of jobs) this.jobByName.set(job.name, job);
  }

  /** A service may enqueue a job of another one, whose contract its own ones do not contain. */
  private async addUnknown(batch: readonly OutboxEntry[]): Promise<void> {
    const isKnown = ({ kind, name }: OutboxEntry) => (kind === 'event' ? this.eventByName : this.jobByName).has(name);
    if (!batch.every(isKnown)) this.addContracts(await import('@millrace/contracts/registry'));
  }

  private push(entries: OutboxEntry[]): void {
    for (const entry of entries) {
      if (this.inFlight.has(entry.id)) continue;
      this.inFlight.add(entry.id);
      this.batchers[entry.kind].push(entry);
    }
  }

  /** Entries that cannot be relayed now stay in the outbox for the next sweep. */
  private async relay(batch: OutboxEntry[], send: (batch: OutboxEntry[]) => Promise<string[]>): Promise<void> {
    await this.addUnknown(batch);
    const sentIds = await send(batch).catch((error: unknown) => {
      this.logger.warn({ message: 'Outbox relay failed; retrying', error, retryInMs: SWEEP_INTERVAL_MS });
      return [];
    });
    const sent = new Set<string>(sentIds);
    for (const { id } of batch) if (!sent.has(id)) this.inFlight.delete(id);
    for (const id of sentIds) this.relayed.push(id);
  }

  /** @returns ids of the events that the broker has stored. A rejected event does not delay the others. */
  private async publishEvents(batch: OutboxEntry[]): Promise<string[]> {
    const streams = this.broker.streams;
    const outcomes = await Promise.allSettled(
      batch.map(async ({ id, name, payload, options }) => {
        const event = this.eventByName.get(name);
        if (!event) throw new Error(`Event ${name} is not in the registry`);
        const { requestId, traceparent } = options ?? {};
        const message = JSON.stringify({ id, requestId, traceparent, payload });
        await streams.publish(eventSubjectOf(event), message, { msgID: id });
        return id;
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) {
      this.logger.warn({ message: 'Publishing events failed; retrying', error: failed.reason as Error });
      await this.republishIfLost();
    }
    return outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  }

  /** @returns ids of the jobs that were queued */
  private async addJobs(batch: OutboxEntry[]): Promise<string[]> {
    const registered = batch.filter(({ name }) => this.jobByName.has(name));
    if (registered.length < batch.length) this.logger.warn('Jobs that are not in the registry stay in the outbox');
    await this.queues.add(
      registered.map(({ id, name, payload, options }): QueuedJob => {
        return { job: this.jobByName.get(name) as JobType, outboxId: id, payload, options };
      }),
    );
    return registered.map(({ id }) => id);
  }

  /** Deletes jobs, which the queue now stores. Events are kept for as long as the broker keeps them, in case it loses them. */
  private async markRelayed(ids: string[]): Promise<void> {
    try {
      await this.database.client.$executeRaw`
        WITH done AS (DELETE FROM messaging.outbox WHERE id = ANY(${ids}::uuid[]) AND kind = 'job')
        UPDATE messaging.outbox SET relayed_at = now() WHERE id = ANY(${ids}::uuid[]) AND kind = 'event'`;
    } catch (error) {
      this.logger.warn({ message: 'Marking outbox entries as relayed failed; they are relayed again', error });
    } finally {
      for (const id of ids) this.inFlight.delete(id);
    }
  }

  private async sweep(olderThanMs: number): Promise<void> {
    // Not only after a reconnection: the broker may not have its streams ready by then.
    await this.republishIfLost();
    try {
      const orphans = await this.database.client.$queryRaw<OutboxEntry[]>`
        SELECT id::text, kind, name, payload, options FROM messaging.outbox
        WHERE service = ${this.database.service} AND relayed_at IS NULL
          AND created_at <= now() - ${olderThanMs}::int * interval '1 ms'
        ORDER BY created_at LIMIT ${MAX_BATCH_SIZE}`;
      if (orphans.length > 0) this.push(orphans);
      await this.cleanUp();
    } catch (error) {
      this.logger.warn({ message: 'Outbox sweep failed; retrying', error, retryInMs: SWEEP_INTERVAL_MS });
    }
  }

  /** Publishes the events that are kept again if the broker has a new stream, because it lost the old one. */
  private async republishIfLost(): Promise<void> {
    if (!this.broker.isConnected) return;
    try {
      const { service, client } = this.database;
      const streamCreatedAt = await this.streams.ensureOwnStream(service);
      if (streamCreatedAt === this.streamCreatedAt) return;
      const previous = await client.relayedStream.findUnique({ where: { stream: service } });
      if (previous?.incarnation !== streamCreatedAt) {
        await client.$transaction([
          client.outbox.updateMany({ where: { service, kind: 'event' }, data: { relayedAt: null } }),
          client.relayedStream.upsert({
            where: { stream: service },
            create: { stream: service, incarnation: streamCreatedAt },
            update: { incarnation: streamCreatedAt, seenAt: new Date() },
          }),
        ]);
      }
      this.streamCreatedAt = streamCreatedAt;
      if (previous && previous.incarnation !== streamCreatedAt)
        this.logger.warn('The broker lost its events; publishing those in the outbox again');
    } catch (error) {
      this.logger.warn({ message: 'Checking the event stream failed; retrying', error });
    }
  }

  /** The broker keeps events as long, so an older event is never published again. */
  private async cleanUp(): Promise<void> {
    const retentionMs = this.streams.retentionMs;
    if (Date.now() - this.lastCleanupAt < Math.min(MAX_CLEANUP_INTERVAL_MS, retentionMs / 10)) return;
    this.lastCleanupAt = Date.now();
    await deleteExpired(this.database, retentionMs, this.options.deadLetterDays);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.currentSweep;
    await Promise.all([this.batchers.event.settled(), this.batchers.job.settled()]);
    await this.relayed.settled();
  }
}
