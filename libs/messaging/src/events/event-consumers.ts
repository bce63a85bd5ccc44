import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { consumerOf, type EventType } from '@millrace/contracts/kit/event';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { createCounter, createHistogram } from '@millrace/telemetry/metrics/registry';
import { withSpan } from '@millrace/telemetry/tracing/spans';
import { Broker } from '../broker/broker.js';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { elapsedMs } from '../tracing/handle-work.js';
import { withLogFields, type LogFields } from '../tracing/log-fields.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { Batcher } from './batcher.js';
import { EventStreams } from './event-streams.js';

/** The message that the relay publishes for an event. */
export const eventMessage = z.object({
  id: z.uuid(),
  /** Absent if no single request caused the event, or an earlier version published it. */
  requestId: z.string().optional(),
  /** The span that caused the event; absent without tracing. */
  traceparent: z.string().optional(),
  payload: z.unknown(),
});

/** Maximum number of events of one kind per transaction. */
const MAX_BATCH_SIZE = 200;
/** Minimum interval between two batches under load: a transaction costs more than ten more events in one. */
const MIN_BATCH_INTERVAL_MS = 250;
/** Until then, the request that caused an event has its response, and the first step of a new run has started. */
const BATCH_DELAY_MS = 50;
const RESTART_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 60_000;
/** With the delays above, an event is retried for an hour before it counts as dead. */
const DEFAULT_MAX_DELIVERIES = 60;

const handledEvents = createCounter('millrace_events_handled_total', 'Events that a consumer has handled, by outcome', [
  'event',
  'consumer',
  'outcome',
]);
const batchDurations = createHistogram('millrace_event_batch_duration_seconds', 'Duration of one batch of events', [
  'event',
  'consumer',
]);

type Handler = (payloads: unknown[], tx: Transaction) => Promise<void>;

/** An event as it arrived. */
interface ReceivedEvent {
  id: string;
  requestId: string | undefined;
  traceparent: string | undefined;
  payload: unknown;
}

/**
 * Delivers events to the methods marked by `@EventHandler`. One transaction handles a batch and records it in the
 * inbox.
 */
@Injectable()
export class EventConsumers implements BeforeApplicationShutdown {
  private readonly logger = new Logger(EventConsumers.name);
  /** The events that this service handles. */
  readonly events: EventType[] = [];
  private readonly activeMessages = new Set<ConsumerMessages>();
  private readonly consumerLoops: Promise<void>[] = [];
  private isClosing = false;

  constructor(
    private readonly broker: Broker,
    private readonly streams: EventStreams,
    private readonly database: Database,
    private readonly deadLetters: DeadLetters,
    @Inject(MESSAGING_OPTIONS) private readonly options: Pick<MessagingOptions, 'maxEventDeliveries'>,
  ) {}

  start(event: EventType, handler: Handler): void {
    this.events.push(event);
    this.consumerLoops.push(this.run(event, handler));
  }

  /** Consumes until the service shuts down; a lost stream is created again. */
  private async run(event: EventType, handler: Handler): Promise<void> {
    while (!this.isClosing) {
      try {
        const { stream, consumer } = await this.streams.ensureConsumer(this.database.service, event);
        const handle = await this.broker.streams.consumers.get(stream, consumer);
        const messages = await handle.consume({ max_messages: 2 * MAX_BATCH_SIZE, abort_on_missing_resource: true });
        this.activeMessages.add(messages);
        // The service was stopped while the broker opened the consumer.
        if (this.isClosing) messages.stop();
        const batches = new Batcher<JsMsg>((batch) => this.handleBatch(event, handler, batch), {
          maxItems: MAX_BATCH_SIZE,
          minIntervalMs: MIN_BATCH_INTERVAL_MS,
          delayMs: BATCH_DELAY_MS,
        });
        for await (const message of messages) batches.push(message);
        await batches.settled();
        this.activeMessages.delete(messages);
      } catch (error) {
        if (!this.isClosing)
          this.logger.warn({
            message: 'Event consumer failed; restarting',
            event: event.name,
            error,
            retryInMs: RESTART_DELAY_MS,
          });
      }
      if (!this.isClosing) await sleep(RESTART_DELAY_MS);
    }
  }

  /**
   * Handles a batch in one transaction. If that fails, handles its events individually, so that only the failing one is
   * delayed.
   */
  private async handleBatch(event: EventType, handler: Handler, messages: JsMsg[]): Promise<void> {
    let fields: LogFields = {};
    try {
      const events = messages.map((message) => readEvent(event, message));
      fields = requestsOf(events);
      const span = {
        kind: 'consumer' as const,
        causes: events.map(({ traceparent }) => traceparent),
        attributes: { 'millrace.event': event.name, 'messaging.batch.message_count': events.length },
      };
      await withLogFields(fields, () =>
        withSpan(`event ${event.name}`, span, () => this.handleNew(event, handler, events)),
      );
    } catch (error) {
      if (messages.length > 1) {
        for (const message of messages) await this.handleBatch(event, handler, [message]);
        return;
      }
      const [message] = messages;
      handledEvents.inc({ event: event.name, consumer: this.database.service, outcome: 'failed' });
      if (message && (await this.giveUp(event, message, error))) return;
      const retryInMs = Math.min(MAX_RETRY_DELAY_MS, 200 * 2 ** Math.min(message?.info.deliveryCount ?? 1, 10));
      this.logger.error({ ...fields, message: 'Event handler failed; retrying', event: event.name, error, retryInMs });
      message?.nak(retryInMs);
      return;
    }
    // Synchronously, so that they share one write.
    for (const message of messages) message.ack();
  }

  /**
   * Stores an event that has failed too often, and takes it out of the stream. While Postgres cannot be reached, nothing can be
   * stored, so an outage of it makes no event dead.
   * @returns false if the event is to be delivered again
   */
  private async giveUp(event: EventType, message: JsMsg, error: unknown): Promise<boolean> {
    const attempts = message.info.deliveryCount;
    if (attempts < (this.options.maxEventDeliveries ?? DEFAULT_MAX_DELIVERIES)) return false;
    const { id, requestId, payload } = readDeadEvent(message);
    try {
      const queue = consumerOf(this.database.service, event);
      const options = requestId === undefined ? {} : { requestId };
      const letter = {
        kind: 'event',
        name: event.name,
        queue,
        message: id,
        payload,
        options,
        error,
        attempts,
      } as const;
      await this.deadLetters.record(letter);
    } catch (failure) {
      this.logger.warn({ message: 'Storing a dead event failed; retrying', event: event.name, error: failure });
      return false;
    }
    this.logger.error({ message: 'Event failed for good', event: event.name, eventId: id, requestId, attempts, error });
    message.ack();
    return true;
  }

  private async handleNew(event: EventType, handler: Handler, received: ReceivedEvent[]): Promise<void> {
    const startedAt = performance.now();
    const handled = await this.handleOnce(event, handler, received);
    const durationMs = elapsedMs(startedAt);
    const labels = { event: event.name, consumer: this.database.service };
    handledEvents.inc({ ...labels, outcome: 'succeeded' }, handled.length);
    batchDurations.observe(labels, durationMs / 1000);
    for (const { id, requestId } of handled) {
      this.logger.debug({
        message: 'Event handled',
        ...(requestId !== undefined && { requestId }),
        event: event.name,
        eventId: id,
        batchSize: handled.length,
        durationMs,
        outcome: 'succeeded',
      });
    }
  }

  /** @returns the events that were not handled before */
  private async handleOnce(event: EventType, handler: Handler, received: ReceivedEvent[]): Promise<ReceivedEvent[]> {
    const consumer = consumerOf(this.database.service, event);
    const eventById = new Map(received.map((one) => [one.id, one]));
    // Inbox rows are locked in a fixed order, because another instance may get some of the same events again.
    const ids = [...eventById.keys()].sort();
    return this.database.transaction(async (tx) => {
      const inserted = await tx.$queryRaw<{ event: string }[]>`
        INSERT INTO messaging.inbox (consumer, event) SELECT ${consumer}, unnest(${ids}::uuid[])
        ON CONFLICT DO NOTHING RETURNING event::text`;
      const isNew = new Set(inserted.map(({ event: id }) => id));
      const fresh = [...eventById.values()].filter(({ id }) => isNew.has(id));
      const payloads = fresh.map(({ payload }) => payload);
      if (payloads.length > 0) await handler(payloads, tx);
      return fresh;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    for (const messages of this.activeMessages) messages.stop();
    await Promise.all(this.consumerLoops);
  }
}

function readEvent(event: EventType, message: JsMsg): ReceivedEvent {
  const { id, requestId, traceparent, payload } = eventMessage.parse(message.json());
  return { id, requestId, traceparent, payload: event.payload.parse(payload) };
}

/** Reads as much of an event as possible: one that is no event at all has an id of its own, and its text as payload. */
function readDeadEvent(message: JsMsg): ReceivedEvent {
  try {
    const { id, requestId, traceparent, payload } = eventMessage.parse(message.json());
    return { id, requestId, traceparent, payload };
  } catch {
    return { id: newId(), requestId: undefined, traceparent: undefined, payload: { text: message.string() } };
  }
}

/** Events of several requests share a batch. Then its log lines name all of them, and no event or job passes one on. */
function requestsOf(events: ReceivedEvent[]): LogFields {
  const requestIds = [...new Set(events.flatMap(({ requestId }) => requestId ?? []))];
  if (requestIds.length > 1) return { requestIds };
  return { requestId: requestIds[0] };
}
