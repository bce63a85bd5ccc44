import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, Subscription, SubscriptionOptions } from '@nats-io/transport-node';
import {
  ServerNats,
  type CustomTransportStrategy,
  type MessageHandler,
  type NatsContext,
  type WritePacket,
} from '@nestjs/microservices';
import { openConnection } from '../broker/open-connection.js';
import { connectionOptions, type MessagingOptions } from '../wiring/messaging-options.js';
import { createResponseTooLargeError, isMessageTooLarge } from './message-too-large.js';
import { WriteCoalescer } from './write-coalescer.js';

/** Maximum time that a shutdown waits for pending responses. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/**
 * Nest's NATS transport with a queue group, so that the instances of a service share the load. Responses that are ready
 * in the same iteration of the event loop share one write. Subjects are looked up directly: Nest first tries to parse
 * each as JSON, which throws for every message.
 */
export class OperationServer extends ServerNats implements CustomTransportStrategy {
  private readonly writes = new WriteCoalescer();
  private readonly ownSubscriptions: Subscription[] = [];
  /** Requests without a response yet. */
  private pendingRequests = 0;
  private notifyIdle: () => void = () => undefined;

  constructor(private readonly messaging: MessagingOptions) {
    super({ ...connectionOptions(messaging), queue: messaging.service });
  }

  override createNatsClient(): Promise<NatsConnection> {
    return openConnection(connectionOptions(this.messaging));
  }

  override bindEvents(connection: NatsConnection): void {
    const subscribe = (subject: string, options: SubscriptionOptions) => {
      const subscription = connection.subscribe(subject, options);
      this.ownSubscriptions.push(subscription);
      return subscription;
    };
    super.bindEvents({ subscribe });
  }

  override getHandlerByPattern(pattern: string): MessageHandler | null {
    return this.messageHandlers.get(pattern) ?? super.getHandlerByPattern(pattern);
  }

  override getPublisher(message: unknown, id: string, context: NatsContext): (response: unknown) => void {
    const publish = super.getPublisher(message, id, context);
    this.pendingRequests += 1;
    return (response) => {
      const isLast = (response as WritePacket).isDisposed === true;
      this.writes.add(() => {
        this.tryPublish(publish, response);
        if (isLast) this.requestEnded();
      });
    };
  }

  /**
   * Handles the received requests for up to `SHUTDOWN_TIMEOUT_MS`. From the start, new requests go to other instances.
   */
  override async close(): Promise<void> {
    const timeout = sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false });
    // Without a broker there is no client to respond to.
    await Promise.race([this.drain().catch(() => undefined), timeout]);
    await super.close();
  }

  private async drain(): Promise<void> {
    await Promise.all(this.ownSubscriptions.map((subscription) => subscription.drain()));
    if (this.pendingRequests > 0) await new Promise<void>((resolve) => (this.notifyIdle = resolve));
    await this.unwrap<NatsConnection>().flush();
  }

  /** Logs losses of the connection as events with fields. Nest logs each status as one text, even the close at shutdown. */
  override async handleStatusUpdates(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      const { type } = status;
      if (type === 'disconnect') {
        this.logger.warn({ message: 'Connection to NATS lost; reconnecting', server: status.server });
      } else if (type === 'reconnect') {
        this.logger.log({ message: 'Connection to NATS restored', server: status.server });
      } else if (type === 'error') {
        this.logger.error({ message: 'Connection to NATS failed', error: status.error });
      }
    }
  }

  private requestEnded(): void {
    this.pendingRequests -= 1;
    if (this.pendingRequests === 0) this.notifyIdle();
  }

  /** Replaces a response that the broker rejects as too large; otherwise the client would wait until its deadline. */
  private tryPublish(publish: (response: unknown) => void, response: unknown): void {
    try {
      publish(response);
    } catch (error) {
      // If the connection is closed, there is no client to respond to.
      if (!isMessageTooLarge(error)) return this.handleError(String(error));
      this.tryPublish(publish, { err: createResponseTooLargeError().toBody(), isDisposed: true });
    }
  }
}
