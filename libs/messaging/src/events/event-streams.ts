import { AckPolicy, DeliverPolicy, RetentionPolicy, StorageType, type StreamInfo } from '@nats-io/jetstream';
import { Inject, Injectable } from '@nestjs/common';
import { consumerOf, eventStreamOf, eventSubjectOf, type EventType } from '@millrace/contracts/kit/event';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { Broker } from '../broker/broker.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';

const NANOSECONDS_PER_MS = 1_000_000;
/** The broker drops duplicates within this window; after it the inbox of the consumers does. */
const DUPLICATE_WINDOW_MS = 2 * 60_000;
/** A consumer that dies has its events redelivered after this time. The inbox drops those it had already handled. */
const ACK_WAIT_MS = 10_000;
/** Events are stored this long for a service that is down, unless a setting says otherwise. */
const DEFAULT_RETENTION_MS = 7 * 24 * 3_600_000;

/** Creates the streams and consumers of events if the broker lacks them or has lost them. */
@Injectable()
export class EventStreams {
  /** How long the broker stores events. */
  readonly retentionMs: number;

  constructor(
    private readonly broker: Broker,
    @Inject(MESSAGING_OPTIONS) { eventRetentionMs }: MessagingOptions,
  ) {
    this.retentionMs = eventRetentionMs ?? DEFAULT_RETENTION_MS;
  }

  /**
   * Creates the stream of this service, and changes how long it stores events if the setting has changed.
   * @returns the creation time of the stream. A different time than before means that the broker has lost the stream's
   * events.
   */
  async ensureOwnStream(source: ServiceName): Promise<string> {
    const info = await this.ensureStream(source);
    if (info.config.max_age !== this.limits.max_age) {
      const manager = await this.broker.streamManager();
      await manager.streams.update(info.config.name, this.limits);
    }
    return info.created;
  }

  private async ensureStream(source: ServiceName): Promise<StreamInfo> {
    const manager = await this.broker.streamManager();
    const name = eventStreamOf(source);
    return manager.streams.info(name).catch(() =>
      manager.streams.add({
        name,
        subjects: [`evt.${source}.>`],
        retention: RetentionPolicy.Limits,
        storage: StorageType.File,
        ...this.limits,
      }),
    );
  }

  private get limits(): { max_age: number; duplicate_window: number } {
    const windowMs = Math.min(DUPLICATE_WINDOW_MS, this.retentionMs);
    return { max_age: this.retentionMs * NANOSECONDS_PER_MS, duplicate_window: windowMs * NANOSECONDS_PER_MS };
  }

  /** Creates the consumer of a service for an event unless it exists. @returns names of stream and consumer */
  async ensureConsumer(service: ServiceName, event: EventType): Promise<{ stream: string; consumer: string }> {
    await this.ensureStream(event.source);
    const manager = await this.broker.streamManager();
    const stream = eventStreamOf(event.source);
    const consumer = consumerOf(service, event);
    await manager.consumers.add(stream, {
      durable_name: consumer,
      filter_subject: eventSubjectOf(event),
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * NANOSECONDS_PER_MS,
      deliver_policy: DeliverPolicy.All,
      max_deliver: -1,
      max_ack_pending: 1_000,
    });
    return { stream, consumer };
  }
}
