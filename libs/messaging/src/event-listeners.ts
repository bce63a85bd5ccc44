import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { consumerOf, type EventType } from '@millrace/contracts/kit/event';
import { Database, type Transaction } from '@millrace/persistence/database';
import { z } from 'zod';
import { Broker } from './broker.js';
import { EventStreams } from './event-streams.js';

/** What the relay sends for an event. */
export const eventMessage = z.object({ id: z.uuid(), payload: z.unknown() });

type Listener = (payload: unknown, tx: Transaction) => Promise<void>;

/** Brings events to the methods that `@Listens` marks: each in one transaction with its entry in the inbox. */
@Injectable()
export class EventListeners implements BeforeApplicationShutdown {
  private readonly logger = new Logger(EventListeners.name);
  private readonly open = new Set<ConsumerMessages>();
  private readonly running: Promise<void>[] = [];
  private closing = false;

  constructor(
    private readonly broker: Broker,
    private readonly streams: EventStreams,
    private readonly database: Database,
  ) {}

  start(event: EventType, listener: Listener): void {
    this.running.push(this.run(event, listener));
  }

  /** Consumes for as long as the service lives; a stream that is gone is made anew. */
  private async run(event: EventType, listener: Listener): Promise<void> {
    while (!this.closing) {
      try {
        const { stream, consumer } = await this.streams.ensureConsumer(this.database.service, event);
        const found = await this.broker.streams.consumers.get(stream, consumer);
        const messages = await found.consume({ max_messages: 100, abort_on_missing_resource: true });
        this.open.add(messages);
        for await (const message of messages) await this.take(event, listener, message);
        this.open.delete(messages);
      } catch (error) {
        if (!this.closing) this.logger.warn(`Listening to ${event.name} was interrupted: ${(error as Error).message}`);
      }
      if (!this.closing) await sleep(500);
    }
  }

  private async take(event: EventType, listener: Listener, message: JsMsg): Promise<void> {
    try {
      const { id, payload } = eventMessage.parse(message.json());
      const parsed = event.payload.parse(payload);
      const consumer = consumerOf(this.database.service, event);
      await this.database.transaction(async (tx) => {
        const isNew = await tx.$executeRaw`
          INSERT INTO messaging.inbox (consumer, event) VALUES (${consumer}, ${id}::uuid) ON CONFLICT DO NOTHING`;
        if (isNew === 1) await listener(parsed, tx);
      });
      message.ack();
    } catch (error) {
      const pause = Math.min(60_000, 200 * 2 ** Math.min(message.info.deliveryCount, 10));
      this.logger.error({ message: `${event.name} could not be dealt with; again in ${pause} ms`, error });
      message.nak(pause);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    for (const messages of this.open) messages.stop();
    await Promise.all(this.running);
  }
}
