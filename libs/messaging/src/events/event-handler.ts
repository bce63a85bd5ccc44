import { SetMetadata } from '@nestjs/common';
import type { EventType, Payload } from '@millrace/contracts/kit/event';
import type { Transaction } from '@millrace/persistence/database';

export const EVENT_METADATA = Symbol('event');

type Handler<E extends EventType> = (payloads: Payload<E>[], tx: Transaction) => Promise<void>;

/**
 * Marks a method that handles an event, exactly once in effect. The method gets all events that arrived together, in
 * order, and works in the transaction that also records them in the inbox. Lock rows that several events may touch in a
 * fixed order, because another instance may handle the next batch. A failed batch is retried event by event with
 * growing delays, so effects outside of the transaction must be idempotent.
 */
export function EventHandler<E extends EventType>(event: E) {
  return <T extends Handler<E>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    SetMetadata(EVENT_METADATA, event)(target, key, descriptor);
  };
}
