import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, Subscription, SubscriptionOptions } from '@nats-io/transport-node';
import {
  ServerNats,
  type CustomTransportStrategy,
  type MessageHandler,
  type NatsContext,
  type WritePacket,
} from '@nestjs/microservices';
import { connectionOptions, type MessagingOptions } from '../wiring/messaging-options.js';
import { responseTooLarge, isTooLarge } from './too-large.js';
import { WriteCoalescer } from './write-coalescer.js';

/** How long an end waits for what is being answered, in milliseconds. */
const GRACE_MS = 3_000;

/**
 * Nest's NATS transport, answering in a queue group so that copies of a service share the work. Answers that are ready in
 * the same turn leave in one write, and a subject is looked up as it is: Nest tries to read each as JSON first, which costs
 * an exception a message.
 */
export class OperationServer extends ServerNats implements CustomTransportStrategy {
  private readonly turn = new WriteCoalescer();
  private readonly listening: Subscription[] = [];
  /** Requests that have come and are not answered yet. */
  private underWay = 0;
  private tellIdle: () => void = () => undefined;

  constructor(options: MessagingOptions) {
    super({ ...connectionOptions(options), queue: options.service });
  }

  override bindEvents(connection: NatsConnection): void {
    const subscribe = (subject: string, options: SubscriptionOptions) => {
      const subscription = connection.subscribe(subject, options);
      this.listening.push(subscription);
      return subscription;
    };
    super.bindEvents({ subscribe });
  }

  override getHandlerByPattern(pattern: string): MessageHandler | null {
    return this.messageHandlers.get(pattern) ?? super.getHandlerByPattern(pattern);
  }

  override getPublisher(message: unknown, id: string, context: NatsContext): (response: unknown) => void {
    const publish = super.getPublisher(message, id, context);
    this.underWay += 1;
    return (response) => {
      const isLast = (response as WritePacket).isDisposed === true;
      this.turn.add(() => {
        this.attempt(publish, response);
        if (isLast) this.settle();
      });
    };
  }

  /** What has come is still answered, for `GRACE_MS` at the most; from the beginning on others of this service get what comes. */
  override async close(): Promise<void> {
    const unheard = sleep(GRACE_MS, undefined, { ref: false });
    // Without a broker there is nobody to answer.
    await Promise.race([this.answerAll().catch(() => undefined), unheard]);
    await super.close();
  }

  private async answerAll(): Promise<void> {
    await Promise.all(this.listening.map((subscription) => subscription.drain()));
    if (this.underWay > 0) await new Promise<void>((resolve) => (this.tellIdle = resolve));
    await this.unwrap<NatsConnection>().flush();
  }

  private settle(): void {
    this.underWay -= 1;
    if (this.underWay === 0) this.tellIdle();
  }

  /** Who asks would wait to the deadline for an answer that the broker does not take, so they are told. */
  private attempt(publish: (response: unknown) => void, response: unknown): void {
    try {
      publish(response);
    } catch (error) {
      // With the connection closed there is nobody left to answer.
      if (!isTooLarge(error)) return this.handleError(String(error));
      this.attempt(publish, { err: responseTooLarge().toBody(), isDisposed: true });
    }
  }
}
