import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { consumerOf, type EventType } from '@millrace/contracts/kit/event';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Broker } from '../broker/broker.js';
import { Batcher } from './batcher.js';
import { EventStreams } from './event-streams.js';

/** What the relay sends for an event. */
export const eventMessage = z.object({ id: z.uuid(), payload: z.unknown() });

/** Events of one kind that are dealt with in one transaction at the most. */
const MAX_BATCH_SIZE = 200;
/** Under load a batch starts this often at the most: a transaction costs more than ten events more in one. */
const PACE_MS = 250;

type Listener = (payloads: unknown[], tx: Transaction) => Promise<void>;

/** Brings events to the methods that `@Listens` marks: all that came together in one transaction with their entries in the inbox. */
@Injectable()
export class EventConsumers implements BeforeApplicationShutdown {
  private readonly logger = new Logger(EventConsumers.name);
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
        const messages = await found.consume({ max_messages: 2 * MAX_BATCH_SIZE, abort_on_missing_resource: true });
        this.open.add(messages);
        const batches = new Batcher<JsMsg>((batch) => this.takeAll(event, listener, batch), {
          most: MAX_BATCH_SIZE,
          paceMs: PACE_MS,
        });
        for await (const message of messages) batches.push(message);
        await batches.settled();
        this.open.delete(messages);
      } catch (error) {
        if (!this.closing) this.logger.warn(`Listening to ${event.name} was interrupted: ${(error as Error).message}`);
      }
      if (!this.closing) await sleep(500);
    }
  }

  /** What has come meanwhile is taken in one transaction; where that fails, one by one, so that only the culprit waits. */
  private async takeAll(event: EventType, listener: Listener, messages: JsMsg[]): Promise<void> {
    try {
      await this.apply(event, listener, messages);
    } catch (error) {
      if (messages.length > 1) {
        for (const message of messages) await this.takeAll(event, listener, [message]);
        return;
      }
      const [message] = messages;
      const pause = Math.min(60_000, 200 * 2 ** Math.min(message?.info.deliveryCount ?? 1, 10));
      this.logger.error({ message: `${event.name} could not be dealt with; again in ${pause} ms`, error });
      message?.nak(pause);
      return;
    }
    // In one go, so that they leave in one write.
    for (const message of messages) message.ack();
  }

  private async apply(event: EventType, listener: Listener, messages: JsMsg[]): Promise<void> {
    const consumer = consumerOf(this.database.service, event);
    const heard = new Map(
      messages.map((message) => {
        const { id, payload } = eventMessage.parse(message.json());
        return [id, event.payload.parse(payload)];
      }),
    );
    // The inbox is locked in one order too, for another copy may be told some of them again.
    const ids = [...heard.keys()].sort();
    await this.database.transaction(async (tx) => {
      const fresh = await tx.$queryRaw<{ event: string }[]>`
        INSERT INTO messaging.inbox (consumer, event) SELECT ${consumer}, unnest(${ids}::uuid[])
        ON CONFLICT DO NOTHING RETURNING event::text`;
      const isNew = new Set(fresh.map(({ event: id }) => id));
      const payloads = [...heard].filter(([id]) => isNew.has(id)).map(([, payload]) => payload);
      if (payloads.length > 0) await listener(payloads, tx);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    for (const messages of this.open) messages.stop();
    await Promise.all(this.running);
  }
}
