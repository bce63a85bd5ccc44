import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg, Subscription } from '@nats-io/nats-core';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { Broker } from '../broker/broker.js';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../wiring/messaging-options.js';
import { createResponseTooLargeError, isMessageTooLarge } from './message-too-large.js';
import { OperationExecutor, type RegisteredHandler } from './operation-executor.js';
import { writeReply, type RpcReply, type RpcRequest } from './rpc-messages.js';
import { WriteCoalescer } from './write-coalescer.js';

/** Maximum time that a shutdown waits for pending responses. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/**
 * Receives requests for the operations of this service, in a queue group, so that its instances share the load. Responses that
 * are ready in the same iteration of the event loop share one write. Nest's transport would build an execution context and
 * several observables for each request, which takes longer than most handlers.
 */
@Injectable()
export class OperationServer {
  private readonly logger = new Logger('Operations');
  private readonly writes = new WriteCoalescer();
  private readonly handlers: RegisteredHandler[] = [];
  private readonly subscriptions: Subscription[] = [];
  /** Requests without a response yet. */
  private pending = 0;
  private notifyIdle: () => void = () => undefined;

  constructor(
    private readonly broker: Broker,
    private readonly executor: OperationExecutor,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {}

  register(handler: RegisteredHandler): void {
    this.handlers.push(handler);
  }

  /** Resolves when the broker has the subscriptions; until then, callers find no service. */
  async listen(): Promise<void> {
    for (const handler of this.handlers) {
      const subscription = this.broker.connection.subscribe(subjectOf(handler.operation), {
        queue: this.options.service,
        callback: (error, message) => {
          if (error) this.logger.error({ message: 'Subscription to an operation failed', error });
          else void this.handle(handler, message);
        },
      });
      this.subscriptions.push(subscription);
    }
    await this.broker.connection.flush();
  }

  /** Handles the received requests for up to `SHUTDOWN_TIMEOUT_MS`. From the start, new requests go to other instances. */
  async close(): Promise<void> {
    const timeout = sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false });
    // Without a broker there is no client to respond to.
    await Promise.race([this.drain().catch(() => undefined), timeout]);
  }

  private async drain(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.drain()));
    if (this.pending > 0) await new Promise<void>((resolve) => (this.notifyIdle = resolve));
    await this.broker.connection.flush();
  }

  private async handle(handler: RegisteredHandler, message: Msg): Promise<void> {
    const envelope = readEnvelope(message);
    // Only a program that is not ours sends this. Without a response, it waits until its deadline.
    if (!envelope)
      return this.logger.warn({ message: 'Request ignored: it has no envelope', subject: message.subject });
    this.pending += 1;
    const reply = await this.executor.execute(handler, envelope);
    this.writes.add(() => {
      this.respond(message, reply);
      this.pending -= 1;
      if (this.pending === 0) this.notifyIdle();
    });
  }

  /** Replaces a response that the broker rejects as too large; otherwise the client would wait until its deadline. */
  private respond(message: Msg, reply: RpcReply): void {
    try {
      message.respond(writeReply(reply));
    } catch (error) {
      // If the connection is closed, there is no client to respond to.
      if (isMessageTooLarge(error)) this.respond(message, { err: createResponseTooLargeError().toBody() });
      else this.logger.error({ message: 'Response was not sent', error });
    }
  }
}

function readEnvelope(message: Msg): Envelope | undefined {
  try {
    const { data } = message.json<RpcRequest<Envelope | undefined>>();
    return typeof data === 'object' ? data : undefined;
  } catch {
    return undefined;
  }
}
