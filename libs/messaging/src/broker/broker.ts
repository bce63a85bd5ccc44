import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import { subjectOf, type Input, type Operation, type Result } from '@millrace/contracts/kit/operation';
import type { Signal } from '@millrace/contracts/kit/signal';
import { createResponseTooLargeError, isMessageTooLarge } from '../rpc/message-too-large.js';
import { RequestMultiplexer } from '../rpc/request-multiplexer.js';
import { handleWork } from '../tracing/handle-work.js';
import { connectionOptions, MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { connectBroker } from './connect-broker.js';

/** The service's NATS connection: for operations, calls, signals and streams. */
@Injectable()
export class Broker implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Operations');
  private natsConnection?: NatsConnection;
  private jetstreamClient?: JetStreamClient;
  private requests?: RequestMultiplexer;
  private readonly reconnectListeners: (() => void)[] = [];

  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  async onModuleInit(): Promise<void> {
    const options = connectionOptions(this.options);
    this.natsConnection = await connectBroker(options, this.logger);
    this.requests = new RequestMultiplexer(this.natsConnection, options.inboxPrefix);
    this.jetstreamClient = jetstream(this.natsConnection, { timeout: 5_000 });
    void this.watchStatus(this.natsConnection);
  }

  get connection(): NatsConnection {
    return requireInitialized(this.natsConnection);
  }

  get isConnected(): boolean {
    return this.natsConnection !== undefined && !this.natsConnection.isClosed() && this.isUp;
  }

  private isUp = true;

  /** Calls the listener after every reconnection. */
  onReconnect(listener: () => void): void {
    this.reconnectListeners.push(listener);
  }

  get streams(): JetStreamClient {
    return requireInitialized(this.jetstreamClient);
  }

  async streamManager(): Promise<JetStreamManager> {
    return jetstreamManager(this.connection, { checkAPI: false, timeout: 5_000 });
  }

  /** Sends a request to one subscriber of a subject. @throws what `RequestMultiplexer.send` throws */
  request(subject: string, data: string, timeoutMs: number): Promise<Msg> {
    return requireInitialized(this.requests).send(subject, data, timeoutMs);
  }

  /** Publishes a signal to all current subscribers. `part` is appended to the subject. */
  publish<S extends Signal>(signal: S, payload: Payload<S>, part?: string): void {
    this.connection.publish(part ? `${signal.subject}.${part}` : signal.subject, JSON.stringify(payload));
  }

  /** Subscribes to a signal. @returns a function that ends the subscription */
  subscribe<S extends Signal>(signal: S, listener: (payload: Payload<S>) => void, part?: string): () => void {
    const subscription = this.connection.subscribe(part ? `${signal.subject}.${part}` : signal.subject, {
      callback: (error, message) => {
        if (!error) listener(signal.payload.parse(message.json()) as Payload<S>);
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Handles an operation that addresses this instance of the service by its id. */
  handleOnInstance<O extends Operation>(
    operation: O,
    instance: string,
    handle: (body: Input<O>['body']) => Promise<Result<O>>,
  ): void {
    this.connection.subscribe(`${subjectOf(operation)}.${instance}`, {
      callback: (error, message) => {
        if (error) return;
        const { data, id } = message.json<{ data: Envelope; id: string }>();
        const respond = (reply: object) => message.respond(JSON.stringify({ ...reply, id, isDisposed: true }));
        const body = operation.body.parse(data.body) as Input<O>['body'];
        handleWork(this.logger, { kind: 'operation', name: operation.name, cause: data }, () => handle(body))
          .then((response) => respond({ response }))
          .catch((failure: unknown) => {
            const err = isMessageTooLarge(failure) ? createResponseTooLargeError() : failure;
            respond({ err: err instanceof ApiError ? err.toBody() : String(err) });
          });
      },
    });
  }

  private async watchStatus(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        this.isUp = false;
        this.logger.warn({ message: 'Connection to NATS lost; reconnecting', server: status.server });
      } else if (status.type === 'error') {
        this.logger.error({ message: 'Connection to NATS failed', error: status.error });
      } else if (status.type === 'reconnect') {
        this.isUp = true;
        this.logger.log({ message: 'Connection to NATS restored', server: status.server });
        for (const listener of this.reconnectListeners) listener();
      }
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.natsConnection?.close();
  }
}

function requireInitialized<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The broker was used before its module was initialized');
  return value;
}
