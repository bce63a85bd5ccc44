import { AckPolicy, DeliverPolicy, RetentionPolicy, StorageType, type StreamInfo } from '@nats-io/jetstream';
import { Injectable } from '@nestjs/common';
import { consumerOf, eventStreamOf, eventSubjectOf, type EventType } from '@millrace/contracts/kit/event';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { Broker } from '../broker/broker.js';

const NANOSECONDS = 1_000_000;
/** Within this window the broker drops a message told twice; afterwards the listeners' inbox does. */
const DUPLICATE_WINDOW_MS = 2 * 60_000;
/** An event in the hands of a listener that died is told again after this; one that comes twice is heard once. */
const ACK_WAIT_MS = 10_000;
/** Events wait this long for a service that is away. */
const KEEP_MS = 7 * 24 * 3_600_000;

/** Makes the streams and consumers that events need, where the broker does not have them (any more). */
@Injectable()
export class EventStreams {
  constructor(private readonly broker: Broker) {}

  /** @returns when this incarnation of the stream was made; another one than last time means that the former is lost */
  async ensureStream(source: ServiceName): Promise<string> {
    const manager = await this.broker.streamManager();
    const name = eventStreamOf(source);
    const found: StreamInfo = await manager.streams.info(name).catch(() =>
      manager.streams.add({
        name,
        subjects: [`evt.${source}.>`],
        retention: RetentionPolicy.Limits,
        storage: StorageType.File,
        max_age: KEEP_MS * NANOSECONDS,
        duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS,
      }),
    );
    return found.created;
  }

  /** Makes sure that the listener's consumer of this event is there. @returns stream and consumer name */
  async ensureConsumer(listener: ServiceName, event: EventType): Promise<{ stream: string; consumer: string }> {
    await this.ensureStream(event.source);
    const manager = await this.broker.streamManager();
    const stream = eventStreamOf(event.source);
    const consumer = consumerOf(listener, event);
    await manager.consumers.add(stream, {
      durable_name: consumer,
      filter_subject: eventSubjectOf(event),
      ack_policy: AckPolicy.Explicit,
      ack_wait: ACK_WAIT_MS * NANOSECONDS,
      deliver_policy: DeliverPolicy.All,
      max_deliver: -1,
      max_ack_pending: 1_000,
    });
    return { stream, consumer };
  }
}
