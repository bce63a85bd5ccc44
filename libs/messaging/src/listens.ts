import { SetMetadata } from '@nestjs/common';
import type { EventType, Payload } from '@millrace/contracts/kit/event';
import type { Transaction } from '@millrace/persistence/database';

export const EVENT = Symbol('event');

type Listener<E extends EventType> = (payload: Payload<E>, tx: Transaction) => Promise<void>;

/**
 * Hears an event exactly once in effect: the method works in the transaction that also notes the event as heard. A
 * failure is tried again with growing pauses, so what it does outside of the transaction must bear repetition.
 */
export function Listens<E extends EventType>(event: E) {
  return <T extends Listener<E>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    SetMetadata(EVENT, event)(target, key, descriptor);
  };
}
