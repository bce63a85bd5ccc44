import { SetMetadata } from '@nestjs/common';
import type { EventType, Payload } from '@millrace/contracts/kit/event';
import type { Transaction } from '@millrace/persistence/database';

export const EVENT = Symbol('event');

type Listener<E extends EventType> = (payloads: Payload<E>[], tx: Transaction) => Promise<void>;

/**
 * Hears an event exactly once in effect: the method takes all that have come together, in the order in which they came,
 * and works in the transaction that also notes them as heard. Rows that several events may touch are to be locked in a
 * fixed order, for another copy of the service may be at the next batch. A failure is tried again one by one with growing
 * pauses, so what the method does outside of the transaction must bear repetition.
 */
export function EventHandler<E extends EventType>(event: E) {
  return <T extends Listener<E>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    SetMetadata(EVENT, event)(target, key, descriptor);
  };
}
