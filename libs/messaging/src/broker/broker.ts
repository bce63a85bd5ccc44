import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Payload } from '@millrace/contracts/kit/event';
import { subjectOf, type Input, type Operation, type Result } from '@millrace/contracts/kit/operation';
import type { Signal } from '@millrace/contracts/kit/signal';
import { RequestMultiplexer } from '../rpc/request-multiplexer.js';
import { responseTooLarge, isTooLarge } from '../rpc/too-large.js';
import { connectionOptions, MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';

/** The service's connection to NATS for asking, telling and streams. (Its handlers have one of their own, Nest's.) */
@Injectable()
export class Broker implements OnModuleInit, OnApplicationShutdown {
  private open?: NatsConnection;
  private client?: JetStreamClient;
  private requests?: RequestMultiplexer;
  private readonly reconnected: (() => void)[] = [];

  constructor(@Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions) {}

  async onModuleInit(): Promise<void> {
    const options = connectionOptions(this.options);
    this.open = await connect(options);
    this.requests = new RequestMultiplexer(this.open, options.inboxPrefix);
    this.client = jetstream(this.open, { timeout: 5_000 });
    void this.watch(this.open);
  }

  get connection(): NatsConnection {
    return ready(this.open);
  }

  get isConnected(): boolean {
    return this.open !== undefined && !this.open.isClosed() && this.connected;
  }

  private connected = true;

  /** Calls back after each time that the connection was lost and found again. */
  onReconnect(listener: () => void): void {
    this.reconnected.push(listener);
  }

  get streams(): JetStreamClient {
    return ready(this.client);
  }

  async streamManager(): Promise<JetStreamManager> {
    return jetstreamManager(this.connection, { checkAPI: false, timeout: 5_000 });
  }

  /** Asks whoever listens on a subject. @throws as `Requests.send` */
  request(subject: string, data: string, timeoutMs: number): Promise<Msg> {
    return ready(this.requests).send(subject, data, timeoutMs);
  }

  /** Tells a signal to all that listen now. `part` narrows the subject. */
  publish<S extends Signal>(signal: S, payload: Payload<S>, part?: string): void {
    this.connection.publish(part ? `${signal.subject}.${part}` : signal.subject, JSON.stringify(payload));
  }

  /** Hears a signal from now on. @returns a function that ends it */
  subscribe<S extends Signal>(signal: S, listener: (payload: Payload<S>) => void, part?: string): () => void {
    const subscription = this.connection.subscribe(part ? `${signal.subject}.${part}` : signal.subject, {
      callback: (error, message) => {
        if (!error) listener(signal.payload.parse(message.json()) as Payload<S>);
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Answers an operation that is asked of this copy of the service alone, under its id. */
  handleOnInstance<O extends Operation>(
    operation: O,
    instance: string,
    handle: (body: Input<O>['body']) => Promise<Result<O>>,
  ): void {
    this.connection.subscribe(`${subjectOf(operation)}.${instance}`, {
      callback: (error, message) => {
        if (error) return;
        const { data, id } = message.json<{ data: Envelope; id: string }>();
        const respond = (answer: object) => message.respond(JSON.stringify({ ...answer, id, isDisposed: true }));
        handle(operation.body.parse(data.body) as Input<O>['body'])
          .then((response) => respond({ response }))
          .catch((failure: unknown) => {
            const err = isTooLarge(failure) ? responseTooLarge() : failure;
            respond({ err: err instanceof ApiError ? err.toBody() : String(err) });
          });
      },
    });
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.connected = false;
      if (status.type === 'reconnect') {
        this.connected = true;
        for (const listener of this.reconnected) listener();
      }
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.open?.close();
  }
}

function ready<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The broker is used before the module is initialised');
  return part;
}
