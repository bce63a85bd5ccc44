import { ServerNats, type CustomTransportStrategy, type MessageHandler, type NatsContext } from '@nestjs/microservices';
import { connectionOptions, type MessagingOptions } from './options.js';
import { answerTooLarge, isTooLarge } from './too-large.js';
import { Turn } from './turn.js';

/** Time that answers under way have to leave at the end, in milliseconds. */
const GRACE_MS = 300;

/**
 * Nest's NATS transport, answering in a queue group so that copies of a service share the work. Answers that are ready in
 * the same turn leave in one write, and a subject is looked up as it is: Nest tries to read each as JSON first, which costs
 * an exception a message.
 */
export class OperationServer extends ServerNats implements CustomTransportStrategy {
  private readonly turn = new Turn();

  constructor(options: MessagingOptions) {
    super({ ...connectionOptions(options), queue: options.service, gracefulShutdown: true, gracePeriod: GRACE_MS });
  }

  override getHandlerByPattern(pattern: string): MessageHandler | null {
    return this.messageHandlers.get(pattern) ?? super.getHandlerByPattern(pattern);
  }

  override getPublisher(message: unknown, id: string, context: NatsContext): (response: unknown) => void {
    const publish = super.getPublisher(message, id, context);
    return (response) => this.turn.add(() => this.attempt(publish, response));
  }

  /** Who asks would wait to the deadline for an answer that the broker does not take, so they are told. */
  private attempt(publish: (response: unknown) => void, response: unknown): void {
    try {
      publish(response);
    } catch (error) {
      // With the connection closed there is nobody left to answer.
      if (!isTooLarge(error)) return this.handleError(String(error));
      this.attempt(publish, { err: answerTooLarge().toBody(), isDisposed: true });
    }
  }
}
